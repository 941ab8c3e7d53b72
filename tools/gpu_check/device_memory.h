#pragma once

#include "device/device_buffer.h"
#include "device/stream.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace accelerant::gpu_check {

/// A stream and what lies in memory of its device until this ends.
class DeviceMemory {
 public:
  explicit DeviceMemory(device::Device& device) : stream_(device.create_stream(memory::process_budget())) {}

  device::DeviceStream& stream() { return *stream_; }

  /// Returns memory for `n` values of any content; a place even for none.
  template <class T>
  T* make(int64_t n) {
    buffers_.emplace_back(*stream_, std::max<int64_t>(n, 1) * static_cast<int64_t>(sizeof(T)));
    return buffers_.back().template as<T>();
  }
  /// Waits for the copy.
  template <class T>
  T* put(const std::vector<T>& values) {
    T* to = make<T>(static_cast<int64_t>(values.size()));
    stream_->copy_to_device(to, values.data(), static_cast<int64_t>(values.size() * sizeof(T)));
    stream_->synchronize();
    return to;
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
  const std::unique_ptr<device::DeviceStream> stream_;
  std::vector<device::DeviceBuffer> buffers_;
};

}  // namespace accelerant::gpu_check
