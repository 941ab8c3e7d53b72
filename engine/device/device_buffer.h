#pragma once

#include "device/stream.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace accelerant::device {

/// Memory of a device, allocated and freed in the order of one stream, which must outlive it. Movable.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// Allocates as DeviceStream::allocate does; nothing where there are no bytes.
  DeviceBuffer(DeviceStream& stream, int64_t bytes)
      : stream_(&stream), data_(bytes > 0 ? stream.allocate(bytes) : nullptr), size_bytes_(bytes) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceBuffer() {
    if (data_ != nullptr) stream_->free(data_);
  }

  /// Returns the memory, which only kernels and copies may access.
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  int64_t size_bytes() const { return size_bytes_; }

 private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
  }

  DeviceStream* stream_ = nullptr;
  void* data_ = nullptr;
  int64_t size_bytes_ = 0;
};

}  // namespace accelerant::device
