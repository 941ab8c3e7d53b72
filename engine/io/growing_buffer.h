#pragma once

#include "memory/buffer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace accelerant::io {

/// Bytes that become more, charged to a budget.
class GrowingBuffer {
 public:
  explicit GrowingBuffer(std::shared_ptr<memory::Budget> budget) : budget_(std::move(budget)) {}

  /// Makes room for `num_bytes` in all and keeps the first `num_kept`: as many as asked for at first, then at least
  /// twice the room there was. Throws as Budget::reserve does, and changes nothing then.
  void reserve(int64_t num_bytes, int64_t num_kept) {
    if (buffer_ && buffer_->size_bytes() >= num_bytes) return;
    auto grown =
        memory::Buffer::allocate(buffer_ ? std::max(num_bytes, 2 * buffer_->size_bytes()) : num_bytes, budget_);
    if (num_kept > 0) std::memcpy(grown->mutable_data(), buffer_->data(), static_cast<size_t>(num_kept));
    buffer_ = std::move(grown);
  }

  /// Returns the bytes; nullptr before the first `reserve`.
  uint8_t* data() { return buffer_ ? buffer_->mutable_data() : nullptr; }
  const uint8_t* data() const { return buffer_ ? buffer_->data() : nullptr; }
  /// Gives the bytes away and starts over.
  std::shared_ptr<memory::Buffer> take() { return std::exchange(buffer_, nullptr); }

 private:
  std::shared_ptr<memory::Budget> budget_;
  std::shared_ptr<memory::Buffer> buffer_;
};

}  // namespace accelerant::io
