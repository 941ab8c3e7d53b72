#include "device/faults/barriers.h"

#include "base/error.h"
#include "device/faults/test_twins.h"

namespace accelerant::device::faults {
namespace {

using emulator::Schedule;

using Barriers = PlantedFault;

TEST_F(Barriers, ARemovedOneIsARace) {
  const std::vector<int64_t> right = run_in_all_orders<RemovedBarrier<Twin::Mended>>();
  EXPECT_EQ(right.front(), values()[1]);
  expect_race<RemovedBarrier<Twin::Faulty>>("faults/barriers.h");
  EXPECT_TRUE(kBuild == Build::Thread || is_wrong_in_some_order<RemovedBarrier<Twin::Faulty>>(right));
}

TEST_F(Barriers, OneInDivergentCodeIsNamed) {
  run_in_all_orders<DivergentBarrier<Twin::Mended>>();
  for (const Schedule& schedule : emulator::test_orders()) {
    EXPECT_EQ(complaint<DivergentBarrier<Twin::Faulty>>(schedule),
              "kernel divergent_barrier, block 0: threads that should meet are at different places: threads 0-39 wait "
              "for their block at barriers.h:N, threads 40-63 wait for their block at barriers.h:N");
  }
}

TEST_F(Barriers, OneThatSomeThreadsDoNotReachIsNamed) {
  run_in_all_orders<EarlyReturn<Twin::Mended>>();
  for (const Schedule& schedule : emulator::test_orders()) {
    EXPECT_EQ(complaint<EarlyReturn<Twin::Faulty>>(schedule),
              "kernel early_return, block 0: threads wait for others that do not come: threads 0-39 wait for their "
              "block at barriers.h:N, threads 40-63 have returned");
  }
}

TEST_F(Barriers, OneFailureIsTheLastThatTheDeviceDoes) {
  emulator::TestDevice device(Schedule{});
  const int64_t* from = device.put(values());
  auto* to = device.put(values());
  launch<EarlyReturn<Twin::Faulty>>(device.stream(), 1, {from, kNumValues, to});
  EXPECT_THROW(device.stream().synchronize(), Error);
  EXPECT_THROW(device.stream().synchronize(), Error);
}

}  // namespace
}  // namespace accelerant::device::faults
