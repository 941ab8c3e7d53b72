#include "operators/windowed_morsel.h"

#include "operators/window_aggregates.h"
#include "operators/window_frames.h"
#include "operators/window_ranks.h"
#include "operators/window_values.h"

#include <algorithm>
#include <memory>

namespace accelerant::operators {

using columns::Batch;

namespace {

WindowResult compute_whole(const plan::WindowCall& call, const plan::Window& node, const WindowRows& rows,
                           const execution::OperatorContext& ctx) {
  if (is_rank(call.kind)) return compute_ranks(call, rows, ctx);
  if (call.kind == plan::WindowKind::Shift) return compute_shifted(call, rows, ctx);
  const WindowFrames frames = find_frames(call, node, rows, ctx);
  if (call.kind == plan::WindowKind::Aggregate) return compute_aggregate(call, rows, frames, ctx);
  return compute_frame_values(call, rows, frames, ctx);
}

void append_errors(const WindowResult& result, int32_t first, Batch& batch) {
  const std::vector<columns::RowError>& errors = result.errors;
  first += result.num_before;
  auto next = std::ranges::lower_bound(errors, first, {}, &columns::RowError::row);
  for (; next != errors.end() && next->row < first + batch.num_rows; ++next) {
    batch.errors.push_back(*next);
    batch.errors.back().row -= first;
  }
}

/// Selects the rows that are not in error.
void leave_out_errors(Batch& batch) {
  std::ranges::stable_sort(batch.errors, {}, &columns::RowError::row);
  std::vector<int32_t> selected;
  auto next = batch.errors.begin();
  for (int32_t row = 0; row < batch.num_rows; ++row) {
    while (next != batch.errors.end() && next->row < row) ++next;
    if (next == batch.errors.end() || next->row != row) selected.push_back(row);
  }
  batch.selection = std::make_shared<const std::vector<int32_t>>(std::move(selected));
}

}  // namespace

void WindowedMorsel::compute(const plan::Window& node, const execution::OperatorContext& ctx) {
  while (results_.size() < node.calls.size()) results_.push_back(compute_call(node, results_.size(), ctx));
  if (!so_far_) return;
  so_far_->pass(node, rows_);
  so_far_.reset();
  with_near_.reset();
}

WindowResult WindowedMorsel::compute_call(const plan::Window& node, size_t index,
                                          const execution::OperatorContext& ctx) {
  const plan::WindowCall& call = node.calls[index];
  if (!so_far_) return compute_whole(call, node, rows_, ctx);
  if (!looks_at_near_rows(call)) return so_far_->compute(node, index, rows_, ctx);
  WindowResult result = compute_whole(call, node, *with_near_, ctx);
  result.num_before = num_before_;
  return result;
}

Batch WindowedMorsel::next(const plan::Window& node, const execution::OperatorContext& ctx) {
  Batch batch;
  batch.num_rows = std::min(ctx.batch_rows, rows_.num_together(next_row_));
  batch.columns = rows_.read(next_row_, batch.num_rows, node.passed);
  for (const WindowResult& result : results_) {
    batch.columns.push_back(result.read(next_row_, batch.num_rows, ctx.budget));
    append_errors(result, next_row_, batch);
  }
  if (!batch.errors.empty()) leave_out_errors(batch);
  next_row_ += static_cast<int32_t>(batch.num_rows);
  return batch;
}

Batch no_windowed_rows(const plan::Window& node, const std::vector<columns::ColumnPtr>& columns,
                       const execution::OperatorContext& ctx) {
  Batch batch;
  for (const int column : node.passed) batch.columns.push_back(columns[static_cast<size_t>(column)]->slice(0, 0));
  for (const plan::WindowCall& call : node.calls) {
    batch.columns.push_back(columns::Column::nulls(call.result_type, 0, ctx.budget));
  }
  return batch;
}

}  // namespace accelerant::operators
