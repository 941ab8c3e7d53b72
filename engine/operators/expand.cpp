#include "operators/expand.h"

#include "columns/gather.h"
#include "expressions/evaluator.h"

#include <utility>
#include <vector>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct ExpandState final : State {
  std::vector<expressions::Evaluator> evaluators;
  size_t next = 0;  ///< the projection to come; 0: of a new batch
};

/// The first error among the projections of a batch: by row, then by projection.
struct FirstError {
  int64_t row;
  size_t projection;
  const columns::RowError* error;  ///< nullptr: there is none, and `row` is the number of rows
};

FirstError find_first_error(const std::vector<Batch>& projected) {
  FirstError first{projected.front().num_rows, 0, nullptr};
  for (size_t i = 0; i < projected.size(); ++i) {
    if (projected[i].errors.empty()) continue;
    const columns::RowError& error = projected[i].errors.front();
    if (!first.error || error.row < first.row) first = {error.row, i, &error};
  }
  return first;
}

/// Returns the rows up to the first error, all projections of a row together, counted through all batches.
std::vector<int32_t> rows_in_order(const std::vector<Batch>& projected, const FirstError& end) {
  std::vector<int32_t> rows;
  std::vector<int64_t> starts{0};
  for (const Batch& batch : projected) starts.push_back(starts.back() + batch.num_rows);
  for (int64_t row = 0; row <= end.row; ++row) {
    const size_t count = row < end.row ? projected.size() : end.projection;
    for (size_t i = 0; i < count; ++i) rows.push_back(static_cast<int32_t>(starts[i] + row));
  }
  return rows;
}

/// Puts the projections of a batch together, row by row, up to the first error: what follows one never counts.
Batch interleave(const std::vector<Batch>& projected, const std::shared_ptr<memory::Budget>& budget) {
  const FirstError end = find_first_error(projected);
  const std::vector<int32_t> rows = rows_in_order(projected, end);
  Batch out;
  out.num_rows = static_cast<int64_t>(rows.size());
  std::vector<columns::ColumnPtr> parts(projected.size());
  for (size_t c = 0; c < projected.front().columns.size(); ++c) {
    for (size_t i = 0; i < projected.size(); ++i) parts[i] = projected[i].columns[c];
    out.columns.push_back(columns::gather(*columns::concatenate(parts, budget), rows, budget));
  }
  if (end.error) {
    out.errors.push_back(*end.error);
    out.errors.front().row = static_cast<int32_t>(out.num_rows);
  }
  return out;
}

}  // namespace

Expand::Expand(std::shared_ptr<const plan::Expand> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx) {}

std::unique_ptr<State> Expand::make_state() const {
  auto state = std::make_unique<ExpandState>();
  for (const auto& projection : node_->projections)
    state->evaluators.emplace_back(projection, ctx_.budget, ctx_.plan_node, ctx_.parameters);
  return state;
}

Batch Expand::project_in_row_order(State& state, const Batch& in) const {
  auto& evaluators = static_cast<ExpandState&>(state).evaluators;
  std::vector<Batch> projected;
  for (auto& evaluator : evaluators) projected.push_back(columns::compact(evaluator.project(in), ctx_.budget));
  Batch out = interleave(projected, ctx_.budget);
  out.morsel = in.morsel;
  out.sequence = in.sequence;
  out.morsels_before = in.morsels_before;
  out.ends_morsel = in.ends_morsel;
  return out;
}

Step Expand::process(State& state, Batch& in, std::optional<Batch>& out) const {
  if (node_->in_row_order) {
    out = project_in_row_order(state, in);
    return Step::needs_input();
  }
  auto& worker = static_cast<ExpandState&>(state);
  const size_t count = worker.evaluators.size();
  out = worker.evaluators[worker.next].project(in);
  out->sequence = in.sequence * static_cast<int64_t>(count) + static_cast<int64_t>(worker.next);
  worker.next = (worker.next + 1) % count;
  out->ends_morsel = in.ends_morsel && worker.next == 0;
  return worker.next == 0 ? Step::needs_input() : Step::has_output();
}

}  // namespace accelerant::operators
