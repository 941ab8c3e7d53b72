#include "device/faults/bounds.h"

#include "device/faults/test_twins.h"

namespace accelerant::device::faults {
namespace {

using Bounds = PlantedFault;

// What is shared here, and device memory here, ends with its page: the next byte is out of everyone's reach in every
// build.

TEST_F(Bounds, OnePastTheEndOfASharedArrayIsCaught) {
  run_in_all_orders<BeyondSharedArray<Twin::Mended>>();
  for (const emulator::Schedule& schedule : emulator::test_orders()) {
    EXPECT_DEATH(run<BeyondSharedArray<Twin::Faulty>>(schedule), "");
  }
}

TEST_F(Bounds, OnePastTheEndOfSharedMemoryIsCaught) {
  run_in_all_orders<BeyondSharedMemory<Twin::Mended>>();
  for (const emulator::Schedule& schedule : emulator::test_orders()) {
    EXPECT_DEATH(run<BeyondSharedMemory<Twin::Faulty>>(schedule), "");
  }
}

TEST_F(Bounds, OnePastTheEndOfDeviceMemoryIsCaught) {
  run_in_all_orders<BeyondDeviceMemory<Twin::Mended>>();
  for (const emulator::Schedule& schedule : emulator::test_orders()) {
    EXPECT_DEATH(run<BeyondDeviceMemory<Twin::Faulty>>(schedule), "");
  }
}

}  // namespace
}  // namespace accelerant::device::faults
