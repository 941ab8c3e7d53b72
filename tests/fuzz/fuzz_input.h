#pragma once

#include "memory/buffer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

namespace accelerant::fuzz {

/// Takes choices from the front of a fuzzer's bytes; what is left is what a parser gets. Choices past the end are 0.
class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size) : bytes_(data, size) {}

  /// Returns the next bytes as a number.
  template <class Number>
  Number take() {
    static_assert(std::is_integral_v<Number>);
    Number number = 0;
    const size_t num_bytes = std::min(sizeof number, bytes_.size());
    if (num_bytes > 0) std::memcpy(&number, bytes_.data(), num_bytes);
    bytes_ = bytes_.subspan(num_bytes);
    return number;
  }

  /// Returns a number below `bound`, which is at most 256, out of one byte.
  size_t choose(size_t bound) { return take<uint8_t>() % bound; }

  /// Returns what is left.
  std::span<const uint8_t> rest() const { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
};

/// Bytes with the padding that decoders may read and nothing behind it, so that ASan sees who reads further.
class PaddedBytes {
 public:
  explicit PaddedBytes(std::span<const uint8_t> bytes)
      : size_(bytes.size()), data_(std::make_unique<uint8_t[]>(size_ + memory::Buffer::kPaddingBytes)) {
    if (size_ > 0) std::memcpy(data_.get(), bytes.data(), size_);
  }

  const uint8_t* data() const { return data_.get(); }
  int64_t num_bytes() const { return static_cast<int64_t>(size_); }

 private:
  size_t size_;
  std::unique_ptr<uint8_t[]> data_;
};

/// Ends the process, as a finding, where something that must hold does not.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace accelerant::fuzz
