#include "device/pinned_memory.h"

#include "base/error.h"
#include "device/emulator/emulator.h"
#include "device/faults/test_twins.h"

#include <cstring>

// Mistakes of the host with pinned memory: it gives slabs up that copies still need, or uses more than it has.

namespace accelerant::device::faults {
namespace {

using emulator::Schedule;
using emulator::Turns;

constexpr int64_t kBytes = kNumValues * 8;
constexpr const char* kTooEarly = "pinned memory was given up before a stream that copies it was synchronised";

/// A device, some of its memory, and two streams, of which the second one's work is done first.
struct PinnedCopies {
  std::shared_ptr<memory::Buffer> make_slab() { return device.pinned_memory()->allocate(kBytes, budget); }

  const std::shared_ptr<memory::Budget> budget =
      std::make_shared<memory::Budget>("test budget", memory::Budget::kUnlimited);
  emulator::Emulator device{{Turns::Reverse, 5, 4}};
  const std::unique_ptr<DeviceStream> first = device.create_stream(memory::process_budget());
  const std::unique_ptr<DeviceStream> second = device.create_stream(memory::process_budget());
  const DeviceBuffer on_device{*first, kBytes};
};

std::string error_of_synchronize(DeviceStream& stream) {
  try {
    stream.synchronize();
  } catch (const Error& error) {
    return error.message();
  }
  return "none";
}

/// Gives a slab up before or after the copy from it has been waited for.
template <Twin kTwin>
std::string free_after_upload() {
  PinnedCopies copies;
  auto slab = copies.make_slab();
  copies.first->copy_to_device(copies.on_device.as<char>(), slab->data(), kBytes);
  if (kTwin == Twin::Mended) copies.first->synchronize();
  slab.reset();
  return error_of_synchronize(*copies.first);
}

/// Gives a slab up after a copy to a part of it is done, which the host knows or not: it waited for another stream.
template <Twin kTwin>
std::string free_after_download() {
  PinnedCopies copies;
  const DeviceBuffer other(*copies.second, kBytes);
  auto slab = copies.make_slab();
  copies.first->fill(copies.on_device.as<char>(), 0, kBytes);
  copies.second->copy_to_host(slab->mutable_data() + kBytes / 2, other.as<char>(), 8);
  copies.first->synchronize();
  if (kTwin == Twin::Mended) copies.second->synchronize();
  slab.reset();
  return error_of_synchronize(*copies.second);
}

/// Reads a slab's first byte when it is somebody else's.
uint8_t use_freed_slab() {
  PinnedCopies copies;
  auto slab = copies.make_slab();
  std::memset(slab->mutable_data(), 1, kBytes);
  const volatile uint8_t* const data = slab->data();
  slab.reset();
  return *data;
}

/// Reads past the padding of a buffer that does not need all of its slab.
uint8_t read_past_end() {
  PinnedCopies copies;
  const auto buffer = copies.device.pinned_memory()->allocate(kBytes - memory::Buffer::kPaddingBytes, copies.budget);
  return *static_cast<const volatile uint8_t*>(buffer->data() + kBytes);
}

using PinnedSlabs = PlantedFault;

TEST_F(PinnedSlabs, MustNotBeGivenUpBeforeTheirCopiesAreDone) {
  EXPECT_EQ(free_after_upload<Twin::Mended>(), "none");
  EXPECT_EQ(free_after_upload<Twin::Faulty>(), kTooEarly);
  EXPECT_EQ(free_after_download<Twin::Mended>(), "none");
  if constexpr (kBuild == Build::Thread) {
    EXPECT_EXIT(
        {
          free_after_download<Twin::Faulty>();
          std::exit(0);
        },
        testing::ExitedWithCode(kRaceStatus), "data race");
  } else {
    EXPECT_EQ(free_after_download<Twin::Faulty>(), kTooEarly);
  }
}

TEST_F(PinnedSlabs, HoldAPatternWhenTheyAreGivenUp) {
  if constexpr (kBuild == Build::Address) {
    EXPECT_DEATH(use_freed_slab(), "use-after-poison");
    EXPECT_DEATH(read_past_end(), "use-after-poison");
  } else {
    EXPECT_NE(use_freed_slab(), 1);
  }
}

}  // namespace
}  // namespace accelerant::device::faults
