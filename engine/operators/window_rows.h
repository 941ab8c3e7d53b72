#pragma once

#include "columns/batch.h"
#include "columns/column.h"
#include "columns/gather_parts.h"
#include "execution/context.h"
#include "memory/array.h"
#include "operators/run_merge.h"
#include "operators/sort_keys.h"
#include "operators/sorted_rows.h"
#include "plan/window.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Rows between two looks at the cancellation, where each takes little time.
inline constexpr int32_t kWindowRowsBetweenLooks = 16 * 1024;

/// Batches of a morsel, at most: enough rows to make up for finding out where they begin.
inline constexpr int64_t kMostWindowBatches = 4;

/// Calls `visit(begin, end)` with stretches of [begin, end), one after the other, between looks at the cancellation.
template <class Visit>
void for_each_stretch(int32_t begin, int32_t end, const execution::OperatorContext& ctx, const Visit& visit) {
  for (int32_t first = begin; first < end; first += kWindowRowsBetweenLooks) {
    ctx.cancellation->check();
    visit(first, std::min(end, first + kWindowRowsBetweenLooks));
  }
}

/// Returns the columns of the input that a window's keys and functions read, ascending.
std::vector<int> columns_of_window(const plan::Window& node);

/// Consecutive rows of a window in its order, and what its functions read of them: whole window partitions, or a piece
/// of one, which counts as a partition here.
struct WindowRows {
  /// Takes rows [begin, end) of a sort by the window's keys, which outlives these.
  /// @throws Error Cancelled; Resource for more rows than it can hold
  WindowRows(const plan::Window& node, const SortedRows& sorted, int64_t begin, int64_t end,
             const execution::OperatorContext& ctx);
  /// Takes the rows of some batches in that order, flat and without a selection.
  /// @throws Error Cancelled; Resource for more rows than it can hold
  WindowRows(const plan::Window& node, std::span<const columns::Batch> batches, const execution::OperatorContext& ctx);

  int32_t num_rows() const { return num_rows_; }
  int32_t partition_of(int32_t row) const { return partition[row]; }
  int32_t partition_begin(int32_t row) const { return partitions[partition[row]]; }
  int32_t partition_end(int32_t row) const { return partitions[partition[row] + 1]; }
  /// Returns the first row of the rows that are equal in so many keys, of each, and the end of the last.
  const memory::Array<int32_t>& peers(size_t num_keys) const;
  /// Returns a column that the window's keys or functions read, flat.
  const columns::ColumnPtr& column(int index) const { return columns_[static_cast<size_t>(index)]; }
  /// Returns how many rows from one on can be read together.
  int64_t num_together(int32_t first) const;
  /// Returns some columns of rows [first, first + length), which can be read together.
  std::vector<columns::ColumnPtr> read(int32_t first, int64_t length, std::span<const int> wanted) const;

  memory::Array<int32_t> partition;   ///< the number of each row's window partition
  memory::Array<int32_t> partitions;  ///< the first row of each, and the end of the last

 private:
  /// Rows that are equal in so many keys.
  struct Peers {
    size_t num_keys;
    memory::Array<int32_t> begins;
  };

  void take(int64_t begin, int64_t end, const execution::OperatorContext& ctx);
  void gather(const plan::Window& node, const execution::OperatorContext& ctx);
  void join(const plan::Window& node, std::span<const columns::Batch> batches, const execution::OperatorContext& ctx);
  void find_partitions(const plan::Window& node, const execution::OperatorContext& ctx);
  /// Notes what begins with a row; `num_equal` of its keys are as in the row before.
  void note_row(int32_t row, size_t num_equal, size_t num_partition_keys);

  int32_t num_rows_;
  const SortedRows* sorted_ = nullptr;       ///< nullptr: they come in batches
  memory::Array<columns::PartRow> rows_;     ///< where they lie in the sort
  std::vector<columns::Batch> batches_;      ///< that they come in
  std::vector<int32_t> ends_;                ///< of each batch, among the rows
  std::vector<columns::ColumnPtr> columns_;  ///< flat, by the input's columns; nullptr: not read
  std::vector<Peers> peers_;
};

}  // namespace accelerant::operators
