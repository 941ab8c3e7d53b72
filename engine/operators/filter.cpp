#include "operators/filter.h"

#include "operators/evaluator_state.h"

#include <utility>

namespace accelerant::operators {

Filter::Filter(std::shared_ptr<const expressions::Program> conjuncts, const execution::OperatorContext& ctx)
    : conjuncts_(std::move(conjuncts)), ctx_(ctx) {}

std::unique_ptr<State> Filter::make_state() const { return std::make_unique<EvaluatorState>(conjuncts_, ctx_); }

Step Filter::process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const {
  out = static_cast<EvaluatorState&>(state).evaluator.filter(in);
  return Step::needs_input();
}

}  // namespace accelerant::operators
