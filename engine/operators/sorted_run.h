#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "memory/buffer.h"
#include "operators/sort_keys.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Rows of one worker in the order of their keys; rows of equal keys keep the order of their morsels.
class SortedRun {
 public:
  /// A row, and what of its first key fits 64 bits.
  struct Entry {
    uint64_t prefix;
    int32_t row;
    int32_t batch;
  };

  /// Sorts.
  /// @param batches at least one, in the order of morsel and sequence, without selections
  /// @throws Error Cancelled
  SortedRun(std::vector<columns::Batch> batches, std::shared_ptr<const KeyOrder> order,
            const execution::OperatorContext& ctx);

  /// The rows in order.
  std::span<const Entry> entries() const { return {entries_->as<Entry>(), static_cast<size_t>(num_rows_)}; }
  /// The rows' columns, flat.
  const std::vector<columns::ColumnPtr>& columns() const { return columns_; }
  int64_t morsel_of(const Entry& entry) const { return morsels_[static_cast<size_t>(entry.batch)]; }
  /// Compares the keys of two rows: negative, 0, positive.
  int compare_keys(const Entry& entry, const SortedRun& other_run, const Entry& other) const;

 private:
  class Sorter;

  const std::shared_ptr<const KeyOrder> order_;
  std::vector<int64_t> morsels_;  ///< by batch
  std::vector<columns::ColumnPtr> columns_;
  int64_t num_rows_ = 0;
  memory::BufferPtr entries_;
};

}  // namespace accelerant::operators
