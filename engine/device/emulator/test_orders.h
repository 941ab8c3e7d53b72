#pragma once

#include "device/device_buffer.h"
#include "device/emulator/emulator.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Devices for tests of kernels, and data on them.
namespace accelerant::device::emulator {

/// Returns the orders that every kernel is tested in.
inline std::vector<Schedule> test_orders() {
  return {{Turns::Forward, 1, 4}, {Turns::Reverse, 2, 3}, {Turns::Random, 3, 4}, {Turns::Random, 4, 1}};
}

inline void PrintTo(const Schedule& schedule, std::ostream* out) {
  constexpr const char* kNames[] = {"forward", "reverse", "random"};
  *out << kNames[static_cast<int>(schedule.turns)] << ", seed " << schedule.seed << ", " << schedule.resident_blocks
       << " resident blocks";
}

/// Whether threads of a block take turns so slowly (25 us a turn) that large kernels are tested with little.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kTurnsAreSlow = true;
#else
inline constexpr bool kTurnsAreSlow = false;
#endif

/// The numbers of rows that every kernel is tested with; the last makes several tiles.
inline constexpr int64_t kTestSizes[] = {0, 1, 31, 32, 33, 1000, 2500};

/// An emulated device with one stream, and what a test keeps on it.
class TestDevice {
 public:
  explicit TestDevice(const Schedule& schedule, std::shared_ptr<memory::Budget> budget = unlimited())
      : device_(schedule), stream_(device_.create_stream(std::move(budget))) {}

  DeviceStream& stream() { return *stream_; }

  /// Returns memory for `n` values of any content; a place even for none.
  template <class T>
  T* make(int64_t n) {
    return buffer(n * static_cast<int64_t>(sizeof(T))).template as<T>();
  }
  /// Returns memory that has a copy of the values when kernels run.
  template <class T>
  T* put(const std::vector<T>& values) {
    const auto bytes = static_cast<int64_t>(values.size() * sizeof(T));
    const DeviceBuffer& to = buffer(bytes);
    stream_->copy_to_device(to.as<T>(), values.data(), bytes);
    stream_->synchronize();
    return to.as<T>();
  }
  /// Waits for the stream and returns `n` values.
  template <class T>
  std::vector<std::remove_const_t<T>> get(T* from, int64_t n) {
    std::vector<std::remove_const_t<T>> values(static_cast<size_t>(n));
    stream_->copy_to_host(values.data(), from, n * static_cast<int64_t>(sizeof(T)));
    stream_->synchronize();
    return values;
  }

 private:
  static std::shared_ptr<memory::Budget> unlimited() {
    return std::make_shared<memory::Budget>("test budget", memory::Budget::kUnlimited);
  }
  const DeviceBuffer& buffer(int64_t bytes) {
    buffers_.emplace_back(*stream_, std::max<int64_t>(bytes, 1));
    return buffers_.back();
  }

  Emulator device_;
  std::unique_ptr<DeviceStream> stream_;
  std::vector<DeviceBuffer> buffers_;
};

}  // namespace accelerant::device::emulator
