#include "operators/replicate.h"

#include "columns/gather.h"
#include "expressions/evaluator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// A copy of a row.
struct CopyPlace {
  int64_t row = 0;
  int64_t copy = 0;
};

/// A worker's rows on their way, and how far they are copied.
struct ReplicateState final : State {
  ReplicateState(const plan::Replicate& node, const execution::OperatorContext& ctx)
      : evaluator(node.program, ctx.budget, ctx.plan_node, ctx.parameters) {}

  expressions::Evaluator evaluator;
  std::optional<Batch> rows;  ///< compact: the number of copies, and what is emitted
  columns::ColumnPtr counts;  ///< flat
  int64_t num_rows = 0;       ///< up to the first error: what follows one never counts
  CopyPlace next;
  int64_t morsel = -1;
  int64_t next_sequence = 0;
};

void start(ReplicateState& worker, Batch& in, const std::shared_ptr<memory::Budget>& budget) {
  Batch rows = columns::compact(worker.evaluator.project(in), budget);
  worker.counts = columns::flatten(rows.columns.front(), budget);
  worker.num_rows = rows.errors.empty() ? rows.num_rows : rows.errors.front().row;
  worker.next = {};
  worker.rows = std::move(rows);
}

/// Returns the rows of up to `most` copies from a place on, and moves it on.
std::vector<int32_t> copies_from(CopyPlace& place, const ReplicateState& worker, int64_t most) {
  std::vector<int32_t> copies;
  while (place.row < worker.num_rows && static_cast<int64_t>(copies.size()) < most) {
    const int64_t wanted = worker.counts->is_null(place.row) ? 0 : worker.counts->values<int64_t>()[place.row];
    const int64_t room = most - static_cast<int64_t>(copies.size());
    const int64_t taken = std::clamp<int64_t>(wanted - place.copy, 0, room);
    copies.insert(copies.end(), static_cast<size_t>(taken), static_cast<int32_t>(place.row));
    place.copy += taken;
    if (place.copy < wanted) break;
    place = {place.row + 1, 0};
  }
  return copies;
}

}  // namespace

Replicate::Replicate(std::shared_ptr<const plan::Replicate> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx) {}

std::unique_ptr<State> Replicate::make_state() const { return std::make_unique<ReplicateState>(*node_, ctx_); }

Step Replicate::process(State& state, Batch& in, std::optional<Batch>& out) const {
  auto& worker = static_cast<ReplicateState&>(state);
  if (!worker.rows) start(worker, in, ctx_.budget);
  Batch& rows = *worker.rows;
  CopyPlace next = worker.next;
  const std::vector<int32_t> copies = copies_from(next, worker, ctx_.batch_rows);
  Batch made;
  made.num_rows = static_cast<int64_t>(copies.size());
  for (size_t i = 1; i < rows.columns.size(); ++i) {
    made.columns.push_back(columns::gather(*rows.columns[i], copies, ctx_.budget));
  }
  worker.next = next;
  if (rows.morsel != worker.morsel) worker.next_sequence = 0;
  made.morsel = worker.morsel = rows.morsel;
  made.sequence = worker.next_sequence++;
  made.morsels_before = rows.morsels_before;
  out = std::move(made);
  if (next.row < worker.num_rows) return Step::has_output();
  if (!rows.errors.empty()) {
    out->errors.push_back(std::move(rows.errors.front()));
    out->errors.front().row = static_cast<int32_t>(out->num_rows);
  }
  out->ends_morsel = rows.ends_morsel;
  worker.rows.reset();
  return Step::needs_input();
}

}  // namespace accelerant::operators
