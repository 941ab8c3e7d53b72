#include "expressions/result_heap.h"

#include "memory/offset_limit.h"

namespace accelerant::expressions {

using types::StringView;

namespace {

/// A buffer takes no further string beyond this; one string may be longer. Offsets are int32.
constexpr int64_t kFullBytes = int64_t{1} << 30;

}  // namespace

int32_t ResultHeap::share(const std::vector<memory::BufferPtr>& buffers) {
  const auto first = static_cast<int32_t>(buffers_.size());
  buffers_.insert(buffers_.end(), buffers.begin(), buffers.end());
  return first;
}

void ResultHeap::add(int64_t bytes, BufferPool& pool) {
  auto buffer = pool.allocate(bytes);
  addresses_.push_back(buffer->mutable_as<char>());
  buffers_.push_back(std::move(buffer));
}

void ResultHeap::reserve(int64_t bytes, BufferPool& pool) {
  memory::check_offsets(bytes, "bytes of strings");
  add(bytes, pool);
}

void ResultHeap::lay_out(std::span<StringView> views, BufferPool& pool) {
  int64_t used = 0;
  for (StringView& view : views) {
    if (view.is_inline()) continue;
    if (used > 0 && used + view.length > kFullBytes) {
      add(used, pool);
      used = 0;
    }
    view.ref.buffer = static_cast<int32_t>(buffers_.size());
    view.ref.offset = static_cast<int32_t>(used);
    used += view.length;
  }
  if (used > 0) add(used, pool);
}

}  // namespace accelerant::expressions
