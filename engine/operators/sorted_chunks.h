#pragma once

#include "execution/context.h"
#include "operators/sorted_run.h"
#include "plan/sort.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::operators {

/// Puts rows in the order of keys, a chunk of bounded size after the other; rows of equal keys keep their order. A call
/// that throws memory::MemoryWait may be made again. One thread at a time.
class SortedChunks {
 public:
  /// @param chunk_bytes at which a chunk is full; while it is sorted it takes up to three times as much
  SortedChunks(std::vector<plan::SortKey> keys, int64_t chunk_bytes, const execution::OperatorContext& ctx);

  /// Adds a batch without errors to the chunk; it is copied. To be called when all rows of the chunk before were taken.
  void add(const columns::Batch& batch);
  /// Says whether the chunk is to be sorted now, as it is so large or was not sorted to the end.
  bool is_full() const { return rows_ || held_->used_bytes() >= chunk_bytes_; }
  /// Sorts what was added, to be taken.
  void sort();
  /// Emits the next rows of the sorted chunk; returns false, with none, when it has no more.
  bool take(columns::Batch& out);

 private:
  const std::shared_ptr<const KeyOrder> order_;
  const int64_t chunk_bytes_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<memory::Budget> held_;  ///< of the rows that were added
  std::vector<columns::Batch> batches_;
  std::optional<RunRows> rows_;  ///< what the batches were put together to, until it is sorted
  std::unique_ptr<const SortedRun> run_;
  int64_t num_taken_ = 0;
};

}  // namespace accelerant::operators
