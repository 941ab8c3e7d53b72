#pragma once

#include "plan/plan_message.h"
#include "plan/relation.h"

#include <vector>

namespace accelerant::plan {

/// Returns the expressions around a LambdaFunction that it reads, each once: columns, and arguments of lambdas around
/// it.
std::vector<int> captured_by(const PlanMessage& message, int lambda);

/// Reads a NamedLambdaVariable, or a column that a lambda reads.
/// @throws Error Unsupported when it is something else
Attribute read_variable(const PlanMessage& message, int expression);

}  // namespace accelerant::plan
