#pragma once

#include "execution/context.h"
#include "expressions/evaluator.h"
#include "operators/operator.h"

#include <utility>

namespace accelerant::operators {

/// The state of an operator that only evaluates a program.
struct EvaluatorState : State {
  EvaluatorState(std::shared_ptr<const expressions::Program> program, const execution::OperatorContext& ctx)
      : evaluator(std::move(program), ctx.budget, ctx.plan_node, ctx.parameters) {}

  expressions::Evaluator evaluator;
};

}  // namespace accelerant::operators
