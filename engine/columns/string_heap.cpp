#include "columns/string_heap.h"

#include "base/error.h"

#include <algorithm>
#include <cstring>

namespace accelerant::columns {

using types::StringRef;
using types::StringView;

namespace {

/// Offsets within a heap buffer are int32.
constexpr int64_t kMaxBufferBytes = int64_t{1} << 30;

}  // namespace

void StringHeap::start_buffer(int64_t needed_bytes) {
  ACC_CHECK(needed_bytes <= remaining_bytes_);
  capacity_bytes_ = std::min(remaining_bytes_, std::max(kMaxBufferBytes, needed_bytes));
  used_bytes_ = 0;
  buffers_.push_back(memory::Buffer::allocate(capacity_bytes_, budget_));
}

StringView StringHeap::add(StringRef text) {
  if (text.length <= StringView::kMaxInlineBytes) return types::inline_view(text);
  if (used_bytes_ + text.length > capacity_bytes_) start_buffer(text.length);
  std::memcpy(buffers_.back()->mutable_data() + used_bytes_, text.data, static_cast<size_t>(text.length));
  const auto offset = static_cast<int32_t>(used_bytes_);
  used_bytes_ += text.length;
  remaining_bytes_ -= text.length;
  return types::heap_view(text, static_cast<int32_t>(buffers_.size() - 1), offset);
}

}  // namespace accelerant::columns
