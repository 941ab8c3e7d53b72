#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "operators/output_queue.h"
#include "operators/sorted_chunks.h"
#include "runtime/query.h"
#include "runtime/stream.h"

#include <chrono>
#include <memory>
#include <optional>

namespace accelerant::runtime {

/// A stream's rows for files in folders, or of buckets: those of a folder and bucket stand together, within chunks that
/// fit the budget, and keep their order but for what buckets are sorted by. One thread at a time; it sorts.
class ClusteredStream {
 public:
  /// @param count streams that share the budget
  ClusteredStream(const Query& query, std::shared_ptr<Stream> stream, int count);

  /// As Stream::next.
  operators::OutputQueue::Pop next(columns::Batch& out, std::chrono::milliseconds timeout);

 private:
  const std::shared_ptr<Stream> stream_;
  execution::Cancellation never_;
  operators::SortedChunks chunks_;
  std::optional<columns::Batch> popped_;  ///< of the stream, and in no chunk yet
};

}  // namespace accelerant::runtime
