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
  std::optional<Batch> joined;  ///< made from `pending`, refused by the full queue so far
};

Batch join(std::vector<Batch>& batches, const std::shared_ptr<memory::Budget>& budget) {
  if (batches.size() == 1) return std::move(batches[0]);
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

}  // namespace

std::unique_ptr<State> ResultSink::make_state() { return std::make_unique<ResultState>(); }

Step ResultSink::consume(State& state, Batch& in) {
  auto& result = static_cast<ResultState&>(state);
  if (!result.joined) {
    raise_first_error(in);
    const bool ends_morsel = in.ends_morsel;
    Batch batch = columns::compact(std::move(in), ctx_.budget);
    result.pending_rows += batch.num_rows;
    // An empty batch is kept only to say that its morsel ended.
    if (batch.num_rows > 0 || (ends_morsel && result.pending.empty())) {
      result.pending.push_back(std::move(batch));
    } else if (ends_morsel) {
      result.pending.back().ends_morsel = true;
    }
    if (!ends_morsel && result.pending_rows * 2 < ctx_.batch_rows) return Step::needs_input();
    if (result.pending.empty()) return Step::needs_input();
    result.joined = join(result.pending, ctx_.budget);
    result.pending.clear();
    result.pending_rows = 0;
  }
  if (auto full = queue_->push(*result.joined)) return Step::suspended(std::move(full));
  result.joined.reset();
  return Step::needs_input();
}

void ResultSink::combine(State&) {}

void ResultSink::finish() {}

}  // namespace accelerant::operators
