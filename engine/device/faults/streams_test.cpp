#include "device/emulator/emulator.h"
#include "device/emulator/fault_report.h"
#include "device/faults/test_twins.h"

// Mistakes of the host: what it does with streams and with device memory.

namespace accelerant::device::faults {
namespace {

using emulator::Emulator;
using emulator::Schedule;

/// Copies values to a device on one stream and from there to other memory of the device on a second one, which waits
/// for the first or not. Returns what arrives.
template <Twin kTwin>
std::vector<int64_t> copy_on_two_streams(const Schedule& schedule) {
  Emulator device(schedule);
  const auto first = device.create_stream(memory::process_budget());
  const auto second = device.create_stream(memory::process_budget());
  use_stacks(*first);
  use_stacks(*second);
  const std::vector<int64_t> from = values();
  std::vector<int64_t> to(kNumValues);
  constexpr int64_t kBytes = kNumValues * 8;
  const DeviceBuffer source(*first, kBytes);
  const DeviceBuffer target(*second, kBytes);
  first->copy_to_device(source.as<int64_t>(), from.data(), kBytes);
  const auto copied = first->record();
  if (kTwin == Twin::Mended) second->wait(copied);
  launch<Copy>(*second, 1, {source.as<int64_t>(), kNumValues, target.as<int64_t>()});
  second->copy_to_host(to.data(), target.as<int64_t>(), kBytes);
  second->synchronize();
  first->synchronize();
  return to;
}

/// Reads the values on the host before the copy has been waited for; returns them.
int64_t read_too_early() {
  emulator::TestDevice device(Schedule{});
  const int64_t* from = device.put(values());
  std::vector<int64_t> to(kNumValues);
  device.stream().copy_to_host(to.data(), from, kNumValues * 8);
  const int64_t read = to[5];
  device.stream().synchronize();
  return read;
}

/// Changes what is copied to a device before the copy has been waited for; returns what arrives.
int64_t write_too_early() {
  emulator::TestDevice device(Schedule{});
  std::vector<int64_t> from = values();
  auto* to = device.make<int64_t>(kNumValues);
  device.stream().copy_to_device(to, from.data(), kNumValues * 8);
  from[5] = 0;
  return device.get(to, kNumValues)[5];
}

int64_t follow_device_pointer() {
  Emulator device(Schedule{});
  const auto stream = device.create_stream(memory::process_budget());
  const DeviceBuffer buffer(*stream, kNumValues * 8);
  const emulator::FaultReport report(device);
  return buffer.as<volatile int64_t>()[3];
}

/// Launches a kernel on memory that has been freed before.
void use_freed_memory() {
  Emulator device(Schedule{});
  const auto stream = device.create_stream(memory::process_budget());
  const emulator::FaultReport report(device);
  int64_t* freed = nullptr;
  {
    const DeviceBuffer buffer(*stream, kNumValues * 8);
    freed = buffer.as<int64_t>();
  }
  launch<Copy>(*stream, 1, {freed, kNumValues, freed});
  stream->synchronize();
}

template <class Body>
[[noreturn]] void exit_after(Body body) {
  body();
  std::exit(0);
}

using Streams = PlantedFault;

TEST_F(Streams, AForgottenWaitIsARaceAndAWrongAnswerInSomeOrder) {
  bool is_wrong = false;
  for (const Schedule& schedule : emulator::test_orders()) {
    EXPECT_EQ(copy_on_two_streams<Twin::Mended>(schedule), values());
    if constexpr (kBuild == Build::Thread) {
      EXPECT_EXIT(exit_after([&] { copy_on_two_streams<Twin::Faulty>(schedule); }),
                  testing::ExitedWithCode(kRaceStatus), "data race .*faults/fault.h");
    } else {
      is_wrong |= copy_on_two_streams<Twin::Faulty>(schedule) != values();
    }
  }
  EXPECT_TRUE(is_wrong || kBuild == Build::Thread);
}

TEST_F(Streams, HostMemoryOfACopyIsNotTouchedBeforeItIsDone) {
  if constexpr (kBuild == Build::Thread) {
    EXPECT_EXIT(exit_after(read_too_early), testing::ExitedWithCode(kRaceStatus), "data race .*read_too_early");
    EXPECT_EXIT(exit_after(write_too_early), testing::ExitedWithCode(kRaceStatus), "data race .*write_too_early");
  } else {
    EXPECT_NE(read_too_early(), values()[5]);
    EXPECT_NE(write_too_early(), values()[5]);
  }
}

TEST_F(Streams, HostCodeCannotFollowADevicePointer) {
  EXPECT_DEATH(follow_device_pointer(), "fault: host code accessed byte 24 of 512 bytes of device memory");
}

TEST_F(Streams, FreedMemoryIsGone) { EXPECT_DEATH(use_freed_memory(), "fault: device code accessed"); }

}  // namespace
}  // namespace accelerant::device::faults
