#pragma once

#include "expressions/buffer_pool.h"
#include "types/string_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::expressions {

/// The heap buffers of a column of strings that a call makes.
class ResultHeap {
 public:
  /// Adds buffers of an argument, whose slices are results; returns the place of the first.
  int32_t share(const std::vector<memory::BufferPtr>& buffers);
  /// Adds one buffer of at most 2 GiB, to be filled from its start.
  void reserve(int64_t bytes, BufferPool& pool);
  /// Adds what long strings need of which nothing is known but their lengths, and points their views there.
  void lay_out(std::span<types::StringView> views, BufferPool& pool);

  /// Where the own buffers are.
  char* const* addresses() const { return addresses_.data(); }
  /// Bytes used of the one that was reserved.
  int64_t* used_bytes() { return &used_bytes_; }
  std::vector<memory::BufferPtr> finish() { return std::move(buffers_); }

 private:
  void add(int64_t bytes, BufferPool& pool);

  std::vector<memory::BufferPtr> buffers_;
  std::vector<char*> addresses_;
  int64_t used_bytes_ = 0;
};

}  // namespace accelerant::expressions
