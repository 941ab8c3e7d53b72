#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "operators/window_result.h"
#include "operators/window_rows.h"
#include "operators/window_stream.h"
#include "plan/window.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace accelerant::operators {

/// Rows of a window, with what its functions give of them: computed function by function, then emitted batch by batch.
/// One worker's.
class WindowedMorsel {
 public:
  /// Takes whole window partitions.
  explicit WindowedMorsel(WindowRows rows) : rows_(std::move(rows)) {}
  /// Takes a piece of one.
  /// @param with_near the piece with rows beside it that functions look at, if some do
  /// @param num_before of these rows, before the piece
  WindowedMorsel(WindowRows rows, std::optional<WindowRows> with_near, int32_t num_before,
                 std::shared_ptr<PartitionSoFar> so_far)
      : rows_(std::move(rows)), with_near_(std::move(with_near)), num_before_(num_before), so_far_(std::move(so_far)) {}

  /// Computes the functions. A call that throws memory::MemoryWait is made again, and goes on from the function that it
  /// was at.
  void compute(const plan::Window& node, const execution::OperatorContext& ctx);
  /// Returns the next rows, of which those are left out whose functions failed: that is among their errors.
  columns::Batch next(const plan::Window& node, const execution::OperatorContext& ctx);
  /// Says whether all rows were emitted.
  bool is_emitted() const { return next_row_ == rows_.num_rows(); }

 private:
  WindowResult compute_call(const plan::Window& node, size_t index, const execution::OperatorContext& ctx);

  WindowRows rows_;
  std::optional<WindowRows> with_near_;
  int32_t num_before_ = 0;
  std::shared_ptr<PartitionSoFar> so_far_;  ///< nullptr: whole window partitions, or all is computed
  std::vector<WindowResult> results_;       ///< of the functions that were computed
  int32_t next_row_ = 0;
};

/// Returns a batch for a morsel without rows.
/// @param columns of the window's input, of any rows
columns::Batch no_windowed_rows(const plan::Window& node, const std::vector<columns::ColumnPtr>& columns,
                                const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
