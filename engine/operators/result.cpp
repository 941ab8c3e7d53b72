#include "operators/result.h"

#include "columns/gather.h"
#include "operators/expression_error.h"

#include <utility>
#include <vector>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// Batches of the current morsel that are too small to leave alone.
struct ResultState final : State {
  std::vector<Batch> pending;
  int64_t pending_rows = 0;
  bool is_due = false;          ///< the batch at hand is among them, and they are to be joined
  std::optional<Batch> joined;  ///< made from `pending`, refused by the full queue so far
};

Batch join(const std::vector<Batch>& batches, const std::shared_ptr<memory::Budget>& budget) {
  if (batches.size() == 1) return batches[0];
  Batch joined;
  joined.morsel = batches[0].morsel;
  joined.ends_morsel = batches.back().ends_morsel;
  for (const Batch& batch : batches) joined.num_rows += batch.num_rows;
  std::vector<columns::ColumnPtr> parts(batches.size());
  for (size_t column = 0; column < batches[0].columns.size(); ++column) {
    for (size_t i = 0; i < batches.size(); ++i) parts[i] = batches[i].columns[column];
    joined.columns.push_back(columns::concatenate(parts, budget));
  }
  return joined;
}

/// Returns a batch whose nested columns have their elements themselves: while they wait they keep nobody else's.
Batch with_own_elements(Batch batch, const std::shared_ptr<memory::Budget>& budget) {
  for (columns::ColumnPtr& column : batch.columns) {
    if (column->is_dictionary() && column->type().is_nested()) column = columns::flatten(column, budget);
  }
  return batch;
}

/// Adds a batch to those that wait; says whether they are to be joined.
bool add(ResultState& result, Batch batch, int64_t batch_rows) {
  const bool ends_morsel = batch.ends_morsel;
  result.pending_rows += batch.num_rows;
  // An empty batch is kept only to say that its morsel ended.
  if (batch.num_rows > 0 || (ends_morsel && result.pending.empty())) {
    result.pending.push_back(std::move(batch));
  } else if (ends_morsel) {
    result.pending.back().ends_morsel = true;
  }
  return (ends_morsel || result.pending_rows * 2 >= batch_rows) && !result.pending.empty();
}

}  // namespace

std::unique_ptr<State> ResultSink::make_state() { return std::make_unique<ResultState>(); }

Step ResultSink::consume(State& state, Batch& in) {
  auto& result = static_cast<ResultState&>(state);
  if (!result.is_due) {
    raise_first_error(in);
    result.is_due = add(result, with_own_elements(columns::compact(in, ctx_.budget), ctx_.budget), ctx_.batch_rows);
    if (!result.is_due) return Step::needs_input();
  }
  if (!result.joined) {
    result.joined = join(result.pending, ctx_.budget);
    result.pending.clear();
    result.pending_rows = 0;
  }
  if (auto full = queue_->push(*result.joined)) return Step::suspended(std::move(full));
  result.joined.reset();
  result.is_due = false;
  return Step::needs_input();
}

}  // namespace accelerant::operators
