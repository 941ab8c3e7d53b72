#include "device/faults/warps.h"

#include "device/faults/test_twins.h"

namespace accelerant::device::faults {
namespace {

using Warps = PlantedFault;

TEST_F(Warps, TrustInStepsTogetherIsARace) {
  const std::vector<int64_t> right = run_in_all_orders<WarpInStep<Twin::Mended>>();
  EXPECT_EQ(right.front(), values()[31]);
  expect_race<WarpInStep<Twin::Faulty>>("faults/warps.h");
  EXPECT_TRUE(kBuild == Build::Thread || is_wrong_in_some_order<WarpInStep<Twin::Faulty>>(right));
}

TEST_F(Warps, ABallotOfSomeThreadsIsNamed) {
  const std::vector<int64_t> right = run_in_all_orders<PartialWarp<Twin::Mended>>();
  EXPECT_EQ(right.front(), 0xaaaaaaaa);
  for (const emulator::Schedule& schedule : emulator::test_orders()) {
    const std::string text = complaint<PartialWarp<Twin::Faulty>>(schedule);
    EXPECT_TRUE(
        text.starts_with("kernel partial_warp, block 0: threads wait for others that do not come: thread 0 has "
                         "returned, thread 1 takes part in a ballot at warps.h:N"))
        << text;
  }
}

}  // namespace
}  // namespace accelerant::device::faults
