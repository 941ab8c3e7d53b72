#include "operators/sort.h"

#include "columns/gather.h"
#include "operators/expression_error.h"

#include <optional>
#include <utility>
#include <vector>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct SortState final : State {
  std::shared_ptr<SortSpill::Worker> spilling;  ///< its rows, where they may go to disk
  std::vector<Batch> batches;
  std::optional<RunRows> rows;  ///< what the batches were put together to
};

}  // namespace

SortSink::SortSink(std::shared_ptr<const plan::Sort> node, const execution::OperatorContext& ctx, Prune prune)
    : node_(std::move(node)), ctx_(ctx), order_(std::make_shared<KeyOrder>(node_->keys)), prune_(std::move(prune)) {}

SortSink::SortSink(std::shared_ptr<const plan::Sort> node, const execution::OperatorContext& ctx,
                   std::shared_ptr<spill::SpillTarget> target, SortSpill::BytesToRead bytes_to_read)
    : node_(std::move(node)),
      ctx_(ctx),
      order_(std::make_shared<KeyOrder>(node_->keys)),
      spill_(std::make_shared<SortSpill>(order_, ctx, std::move(target), std::move(bytes_to_read))) {
  ctx.budget->add_reclaimer(spill_);
}

std::unique_ptr<State> SortSink::make_state() {
  auto state = std::make_unique<SortState>();
  if (spill_) state->spilling = spill_->add_worker();
  return state;
}

Step SortSink::consume(State& state, Batch& in) {
  raise_first_error_of_sort(in, *node_);
  if (spill_) {
    spill_->take(*static_cast<SortState&>(state).spilling, in);
    return Step::needs_input();
  }
  Batch batch = columns::compact(in, ctx_.budget);
  if (batch.num_rows == 0) return Step::needs_input();
  for (auto& column : batch.columns) {
    if (!column->owns_its_bytes_only()) column = columns::copy_compact(*column, ctx_.budget);
  }
  static_cast<SortState&>(state).batches.push_back(std::move(batch));
  return Step::needs_input();
}

// The worker has its rows until the run is made.
std::unique_ptr<const SortedRun> SortSink::make_run(State& state) const {
  auto& worker = static_cast<SortState&>(state);
  if (!worker.rows) worker.rows.emplace(worker.batches, ctx_);
  worker.batches.clear();
  std::unique_ptr<const SortedRun> run = std::make_unique<const SortedRun>(*worker.rows, order_, ctx_);
  if (prune_) run = prune_(std::move(run));
  worker.rows.reset();
  return run;
}

Step SortSink::combine(State& state) {
  auto& worker = static_cast<SortState&>(state);
  if (spill_) {
    spill_->end(*worker.spilling);
    return Step::finished();
  }
  if (worker.batches.empty() && !worker.rows) return Step::finished();
  auto run = make_run(state);
  std::lock_guard lock(mutex_);
  runs_.push_back(std::move(run));
  return Step::finished();
}

int64_t SortSink::shrink(State& state) {
  const auto run = make_run(state);
  static_cast<SortState&>(state).batches = run->rows().as_batches();
  return run->num_rows();
}

Step SortSink::finish() {
  if (spill_) {
    sorted_ = spill_->sorted();
    return Step::finished();
  }
  const auto sorted = std::make_shared<SortedRows>(std::move(runs_), ctx_);
  ctx_.budget->add_reclaimer(sorted);
  sorted_ = sorted;
  return Step::finished();
}

Step SortSink::run_finish_task(int64_t) {
  spill_->complete();
  return Step::finished();
}

void SortSink::hand_on(const plan::Node& node, StageResults& results) {
  if (!sorted_) {
    results.rows.emplace(&node, std::make_shared<SpilledStageRows>(spilled(order_->keys().size())));
    return;
  }
  results.rows.emplace(&node, std::make_shared<SortedStageRows>(sorted_, ctx_));
}

}  // namespace accelerant::operators
