#include "operators/expand.h"

#include "expressions/evaluator.h"

#include <utility>
#include <vector>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct ExpandState final : State {
  std::vector<expressions::Evaluator> evaluators;
  Batch input;
  size_t next = 0;  ///< the projection to come; 0: of a new batch
};

}  // namespace

Expand::Expand(std::shared_ptr<const plan::Expand> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx) {}

std::unique_ptr<State> Expand::make_state() const {
  auto state = std::make_unique<ExpandState>();
  for (const auto& projection : node_->projections)
    state->evaluators.emplace_back(projection, ctx_.budget, ctx_.plan_node);
  return state;
}

Step Expand::process(State& state, Batch& in, std::optional<Batch>& out) const {
  auto& worker = static_cast<ExpandState&>(state);
  const size_t count = worker.evaluators.size();
  if (worker.next == 0) worker.input = std::exchange(in, Batch());
  out = worker.evaluators[worker.next].project(worker.input);
  out->sequence = worker.input.sequence * static_cast<int64_t>(count) + static_cast<int64_t>(worker.next);
  worker.next = (worker.next + 1) % count;
  out->ends_morsel = worker.input.ends_morsel && worker.next == 0;
  if (worker.next != 0) return Step::has_output();
  worker.input = Batch();
  return Step::needs_input();
}

}  // namespace accelerant::operators
