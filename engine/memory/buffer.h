#pragma once

#include "memory/budget.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace accelerant::memory {

/// A block of memory that columns share. Immutable once shared; its bytes are charged to a budget while it lives, or
/// belong to somebody else who is kept alive.
class Buffer {
 public:
  /// Every buffer of ours starts at a multiple of this and may be read (not written) up to kPaddingBytes past its end.
  static constexpr int64_t kAlignmentBytes = 64;
  static constexpr int64_t kPaddingBytes = 64;

  /// Allocates `bytes` uninitialised bytes charged to `budget`, or on disk (DiskMemory) where that is exhausted;
  /// throws as Budget::reserve does.
  static std::shared_ptr<Buffer> allocate(int64_t bytes, std::shared_ptr<Budget> budget);
  /// Allocates and sets all bytes to zero.
  static std::shared_ptr<Buffer> allocate_zeroed(int64_t bytes, std::shared_ptr<Budget> budget);
  /// Returns the bytes that a buffer of so many is charged for: with its padding, in whole units of its alignment.
  static int64_t capacity_for(int64_t bytes);
  /// Refers to `capacity_for(bytes)` bytes of memory aligned as ours is, which `owner` keeps alive and charges for.
  static std::shared_ptr<Buffer> adopt(uint8_t* data, int64_t bytes, std::shared_ptr<const void> owner);
  /// Refers to memory that `owner` keeps alive. No padding is promised.
  static std::shared_ptr<const Buffer> foreign(const void* data, int64_t bytes, std::shared_ptr<const void> owner);

  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  const uint8_t* data() const { return data_; }
  uint8_t* mutable_data() { return data_; }
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data_);
  }
  template <class T>
  T* mutable_as() {
    return reinterpret_cast<T*>(data_);
  }
  int64_t size_bytes() const { return size_bytes_; }

 private:
  Buffer() = default;

  uint8_t* data_ = nullptr;
  int64_t size_bytes_ = 0;
  Reservation reservation_;
  std::shared_ptr<const void> owner_;  ///< set for memory that is not ours only
};

using BufferPtr = std::shared_ptr<const Buffer>;

/// Allocates buffers as Buffer::allocate does, perhaps in other memory. Any thread.
using AllocateBuffer = std::function<std::shared_ptr<Buffer>(int64_t bytes, const std::shared_ptr<Budget>& budget)>;

}  // namespace accelerant::memory
