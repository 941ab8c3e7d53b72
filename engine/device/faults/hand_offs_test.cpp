#include "device/faults/hand_offs.h"

#include "device/faults/test_twins.h"

namespace accelerant::device::faults {
namespace {

using emulator::Schedule;
using emulator::Turns;

using HandOffs = PlantedFault;

TEST_F(HandOffs, ByARelaxedFlagAreARace) {
  const std::vector<int64_t> right = run_in_all_orders<RelaxedFlag<Twin::Mended>>(2);
  EXPECT_EQ(right[2], values()[0]);
  expect_race<RelaxedFlag<Twin::Faulty>>("faults/hand_offs.h", 2);
}

TEST_F(HandOffs, OfASlotBeforeItsValueAreARace) {
  const std::vector<int64_t> right = run_in_all_orders<EarlyInsertion<Twin::Mended>>(2);
  EXPECT_EQ(right[2], values()[0]);
  expect_race<EarlyInsertion<Twin::Faulty>>("faults/hand_offs.h", 2);
}

TEST_F(HandOffs, FromABlockThatHasNotStartedAreNamed) {
  constexpr int64_t kBlocks = 8;
  const std::vector<int64_t> right = run_in_all_orders<WaitForBlock<Twin::Mended>>(kBlocks);
  EXPECT_EQ(right[kBlocks - 1], 1);
  EXPECT_EQ(complaint<WaitForBlock<Twin::Faulty>>(Schedule{Turns::Reverse, 1, 2}, kBlocks),
            "kernel wait_for_block makes no progress; block 7: thread 0 reads an atomic at hand_offs.h:N, threads 1-31 "
            "have returned; block 6: thread 0 reads an atomic at hand_offs.h:N, threads 1-31 have returned");
}

}  // namespace
}  // namespace accelerant::device::faults
