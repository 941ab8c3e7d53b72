#include "operators/sort.h"

#include "operators/expression_error.h"

#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct SortState final : State {
  std::shared_ptr<SortSpill::Worker> spilling;
};

SortSpill::Worker& worker_of(State& state) { return *static_cast<SortState&>(state).spilling; }

}  // namespace

SortSink::SortSink(std::shared_ptr<const plan::Sort> node, const execution::OperatorContext& ctx,
                   std::shared_ptr<spill::SpillTarget> target, SortReaders readers)
    : node_(std::move(node)),
      ctx_(ctx),
      order_(std::make_shared<KeyOrder>(node_->keys)),
      spill_(std::make_shared<SortSpill>(order_, ctx, std::move(target), std::move(readers))) {
  ctx.budget->add_reclaimer(spill_);
}

std::unique_ptr<State> SortSink::make_state() {
  auto state = std::make_unique<SortState>();
  state->spilling = spill_->add_worker();
  return state;
}

Step SortSink::consume(State& state, Batch& in) {
  raise_first_error_of_sort(in, *node_);
  spill_->take(worker_of(state), in);
  return Step::needs_input();
}

int64_t SortSink::prune(State& state) { return spill_->prune(worker_of(state)); }

Step SortSink::combine(State& state) {
  spill_->end(worker_of(state));
  return Step::finished();
}

Step SortSink::finish() {
  sorted_ = spill_->sorted();
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
