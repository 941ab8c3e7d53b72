#include "runtime/clustered_stream.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace accelerant::runtime {

using operators::OutputQueue;

namespace {

/// Larger chunks make fewer files, and take longer for each row: they leave the caches.
constexpr int64_t kMostChunkBytes = int64_t{256} << 20;
constexpr int64_t kLeastChunkBytes = int64_t{64} << 10;
/// The part of the budget that the chunks of all streams take before they are sorted; a file being written, what waits
/// in the streams and the query itself want theirs.
constexpr int64_t kBudgetShare = 8;

int64_t chunk_bytes_of(const Query& query, int count) {
  int64_t limit = memory::process_budget()->limit_bytes();
  if (query.options().memory_limit_bytes > 0) limit = std::min(limit, query.options().memory_limit_bytes);
  return std::clamp(limit / kBudgetShare / count, kLeastChunkBytes, kMostChunkBytes);
}

}  // namespace

ClusteredStream::ClusteredStream(const Query& query, std::shared_ptr<Stream> stream, int count)
    : stream_(std::move(stream)),
      chunks_(query.plan().files.order(), chunk_bytes_of(query, count), query.context(*query.plan().root, never_)) {}

OutputQueue::Pop ClusteredStream::next(columns::Batch& out, std::chrono::milliseconds timeout) {
  if (chunks_.take(out)) return OutputQueue::Pop::Batch;
  auto popped = OutputQueue::Pop::Batch;
  while (popped == OutputQueue::Pop::Batch && !chunks_.is_full()) {
    if (!popped_) {
      columns::Batch batch;
      popped = stream_->next(batch, timeout);
      if (popped != OutputQueue::Pop::Batch) break;
      popped_ = std::move(batch);
    }
    chunks_.add(*popped_);
    popped_.reset();
  }
  if (popped == OutputQueue::Pop::TimedOut) return popped;
  chunks_.sort();
  return chunks_.take(out) ? OutputQueue::Pop::Batch : popped;
}

}  // namespace accelerant::runtime
