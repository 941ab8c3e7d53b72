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
  /// Sorts.
  /// @param batches at least one, in the order of morsel and sequence, without selections
  /// @throws Error Cancelled
  SortedRun(std::vector<columns::Batch> batches, std::shared_ptr<const KeyOrder> order,
            const execution::OperatorContext& ctx);

  /// The rows in order, with the first words of their first keys.
  std::span<const KeyedRow> rows() const { return {rows_->as<KeyedRow>(), static_cast<size_t>(num_rows_)}; }
  /// The rows' columns, flat.
  const std::vector<columns::ColumnPtr>& columns() const { return columns_; }
  int64_t morsel_of(const KeyedRow& row) const { return morsels_[static_cast<size_t>(row.batch)]; }
  /// Compares the keys of two rows: negative, 0, positive.
  int compare_keys(const KeyedRow& row, const SortedRun& other_run, const KeyedRow& other) const;

 private:
  class Sorter;

  const std::shared_ptr<const KeyOrder> order_;
  std::vector<int64_t> morsels_;  ///< by batch
  std::vector<columns::ColumnPtr> columns_;
  int64_t num_rows_ = 0;
  memory::BufferPtr rows_;
};

}  // namespace accelerant::operators
