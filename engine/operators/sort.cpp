#include "operators/sort.h"

#include "columns/gather.h"
#include "operators/expression_error.h"

#include <algorithm>
#include <span>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

namespace {

/// Batches of the result that one worker merges: enough rows to make up for finding out where they begin.
constexpr int64_t kBatchesPerTask = 8;

int64_t ceil_of_quotient(int64_t dividend, int64_t divisor) { return (dividend + divisor - 1) / divisor; }

struct SortState final : State {
  std::vector<Batch> batches;
};

/// Rows of several runs, run by run.
struct RowsByRun {
  std::vector<std::vector<int32_t>> rows;  ///< of each run, those wanted
  std::vector<int32_t> places;             ///< of each wanted row among those of all runs, one run after the other

  RowsByRun(std::span<const RunRow> wanted, size_t num_runs) : rows(num_runs) {
    for (const RunRow& row : wanted) {
      auto& of_run = rows[static_cast<size_t>(row.run)];
      places.push_back(static_cast<int32_t>(of_run.size()));
      of_run.push_back(row.row);
    }
    std::vector<int32_t> begins = {0};
    for (const auto& of_run : rows) begins.push_back(begins.back() + static_cast<int32_t>(of_run.size()));
    for (size_t i = 0; i < wanted.size(); ++i) places[i] += begins[static_cast<size_t>(wanted[i].run)];
  }
};

}  // namespace

SortSink::SortSink(std::shared_ptr<const plan::Sort> node, const execution::OperatorContext& ctx)
    : ctx_(ctx), order_(std::make_shared<KeyOrder>(node->keys)), result_(std::make_shared<BufferedRows>()) {}

std::unique_ptr<State> SortSink::make_state() { return std::make_unique<SortState>(); }

Step SortSink::consume(State& state, Batch& in) {
  raise_first_error(in);
  Batch batch = columns::compact(std::move(in), ctx_.budget);
  if (batch.num_rows == 0) return Step::needs_input();
  for (auto& column : batch.columns) column = columns::copy_compact(*column, ctx_.budget);
  static_cast<SortState&>(state).batches.push_back(std::move(batch));
  return Step::needs_input();
}

void SortSink::combine(State& state) {
  auto& batches = static_cast<SortState&>(state).batches;
  if (batches.empty()) return;
  auto run = std::make_unique<const SortedRun>(std::exchange(batches, {}), order_, ctx_);
  std::lock_guard lock(mutex_);
  num_rows_ += static_cast<int64_t>(run->rows().size());
  runs_.push_back(std::move(run));
}

void SortSink::finish() {
  const auto num_batches = static_cast<size_t>(ceil_of_quotient(num_rows_, ctx_.batch_rows));
  result_->batches.resize(num_batches);
  result_->continues_tie.resize(num_batches);
  finish_tasks_left_ = num_finish_tasks();
}

int64_t SortSink::num_finish_tasks() const { return ceil_of_quotient(num_rows_, ctx_.batch_rows * kBatchesPerTask); }

void SortSink::run_finish_task(int64_t task) {
  const int64_t first = task * kBatchesPerTask * ctx_.batch_rows;
  const int64_t end = std::min(first + kBatchesPerTask * ctx_.batch_rows, num_rows_);
  const std::vector<RunRow> rows = merge_runs(runs_, first, end, ctx_);
  for (int64_t row = first; row < end; row += ctx_.batch_rows) {
    const auto batch = static_cast<size_t>(row / ctx_.batch_rows);
    const auto num_rows = static_cast<size_t>(std::min(ctx_.batch_rows, end - row));
    const std::span of_batch = std::span(rows).subspan(static_cast<size_t>(row - first), num_rows);
    ctx_.cancellation->check();
    result_->batches[batch] = gather(of_batch);
    for (const RunRow& of_row : of_batch) result_->continues_tie[batch].push_back(of_row.continues_tie);
  }
  if (finish_tasks_left_.fetch_sub(1, std::memory_order_acq_rel) == 1) runs_.clear();
}

Batch SortSink::gather(std::span<const RunRow> rows) const {
  const RowsByRun by_run(rows, runs_.size());
  Batch batch;
  batch.num_rows = static_cast<int64_t>(rows.size());
  for (size_t column = 0; column < runs_.front()->columns().size(); ++column) {
    std::vector<ColumnPtr> parts;
    for (size_t run = 0; run < runs_.size(); ++run) {
      if (by_run.rows[run].empty()) continue;
      parts.push_back(columns::gather(*runs_[run]->columns()[column], by_run.rows[run], ctx_.budget));
    }
    // Rows of one run are in its order.
    if (parts.size() > 1) {
      parts = {columns::gather(*columns::concatenate(parts, ctx_.budget), by_run.places, ctx_.budget)};
    }
    batch.columns.push_back(std::move(parts.front()));
  }
  return batch;
}

void SortSink::hand_on(const plan::Node& node, StageResults& results) {
  results.rows.emplace(&node, std::make_shared<BufferedStageRows>(result_));
}

}  // namespace accelerant::operators
