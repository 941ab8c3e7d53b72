#pragma once

#include <algorithm>
#include <cstdint>

namespace accelerant::device {

/// What allocations of device memory start at a multiple of, and take a multiple of.
inline constexpr int64_t kAllocationUnitBytes = 256;

/// Returns the bytes that an allocation takes of a device.
constexpr int64_t allocated_bytes(int64_t bytes) {
  return (bytes + kAllocationUnitBytes - 1) / kAllocationUnitBytes * kAllocationUnitBytes;
}

/// The most device memory that a step allocates. What it frees meanwhile counts, as its stream may not have passed it.
class MemoryBound {
 public:
  /// Adds an allocation; those of no bytes take a unit.
  void add(int64_t bytes) { bytes_ += allocated_bytes(std::max<int64_t>(bytes, 1)); }
  /// Adds an allocation of `n` values of some bytes each.
  void add(int64_t n, int64_t value_bytes) { add(n * value_bytes); }
  MemoryBound& operator+=(const MemoryBound& other) {
    bytes_ += other.bytes_;
    return *this;
  }
  int64_t bytes() const { return bytes_; }

 private:
  int64_t bytes_ = 0;
};

}  // namespace accelerant::device
