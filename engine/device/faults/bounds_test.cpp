#include "device/faults/bounds.h"

#include "device/faults/test_twins.h"

namespace accelerant::device::faults {
namespace {

using Bounds = PlantedFault;

TEST_F(Bounds, OnePastTheEndOfASharedArrayIsCaught) {
  run_in_all_orders<BeyondSharedArray<Twin::Mended>>();
  if constexpr (kBuild == Build::Address) {
    for (const emulator::Schedule& schedule : emulator::test_orders()) {
      EXPECT_DEATH(run<BeyondSharedArray<Twin::Faulty>>(schedule), "index 64 out of bounds");
    }
  }
}

TEST_F(Bounds, OnePastTheEndOfSharedMemoryIsCaught) {
  run_in_all_orders<BeyondSharedMemory<Twin::Mended>>();
  // What is shared here ends with its page: the next byte is out of everyone's reach.
  for (const emulator::Schedule& schedule : emulator::test_orders()) {
    EXPECT_DEATH(run<BeyondSharedMemory<Twin::Faulty>>(schedule), "");
  }
}

TEST_F(Bounds, OnePastTheEndOfDeviceMemoryIsCaught) {
  run_in_all_orders<BeyondDeviceMemory<Twin::Mended>>();
  if constexpr (kBuild == Build::Address) {
    for (const emulator::Schedule& schedule : emulator::test_orders()) {
      EXPECT_DEATH(run<BeyondDeviceMemory<Twin::Faulty>>(schedule), "use-after-poison");
    }
  }
}

}  // namespace
}  // namespace accelerant::device::faults
