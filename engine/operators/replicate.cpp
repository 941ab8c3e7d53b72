#include "operators/replicate.h"

#include "columns/gather.h"
#include "operators/repeated_rows.h"

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

/// How far a worker's rows are copied.
struct ReplicateState final : RepeatedRows {
  using RepeatedRows::RepeatedRows;

  columns::ColumnPtr counts;  ///< flat
  CopyPlace next;
};

/// Returns the rows of up to `most` copies from a place on, and moves it on.
std::vector<int32_t> copies_from(CopyPlace& place, const ReplicateState& worker, int64_t most) {
  std::vector<int32_t> copies;
  while (place.row < worker.num_rows() && static_cast<int64_t>(copies.size()) < most) {
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

std::unique_ptr<State> Replicate::make_state() const { return std::make_unique<ReplicateState>(node_->program, ctx_); }

Step Replicate::process(State& state, Batch& in, std::optional<Batch>& out) const {
  auto& worker = static_cast<ReplicateState&>(state);
  if (!worker.has_rows()) {
    worker.start(in);
    worker.next = {};
    worker.counts = nullptr;
  }
  const Batch& rows = worker.rows();
  if (!worker.counts) worker.counts = columns::flatten(rows.columns.front(), ctx_.budget);
  CopyPlace next = worker.next;
  const std::vector<int32_t> copies = copies_from(next, worker, ctx_.batch_rows);
  Batch made;
  made.num_rows = static_cast<int64_t>(copies.size());
  for (size_t i = 1; i < rows.columns.size(); ++i) {
    made.columns.push_back(columns::gather(*rows.columns[i], copies, ctx_.budget));
  }
  worker.next = next;
  return worker.emit(std::move(made), next.row >= worker.num_rows(), out);
}

}  // namespace accelerant::operators
