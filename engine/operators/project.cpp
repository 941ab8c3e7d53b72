#include "operators/project.h"

#include "operators/evaluator_state.h"

#include <utility>

namespace accelerant::operators {

Project::Project(std::shared_ptr<const expressions::Program> outputs, const execution::OperatorContext& ctx)
    : outputs_(std::move(outputs)), ctx_(ctx) {}

std::unique_ptr<State> Project::make_state() const { return std::make_unique<EvaluatorState>(outputs_, ctx_); }

Step Project::process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const {
  out = static_cast<EvaluatorState&>(state).evaluator.project(in);
  return Step::needs_input();
}

}  // namespace accelerant::operators
