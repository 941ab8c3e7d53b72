#pragma once

#include "plan/aggregate.h"
#include "plan/expression_binder.h"
#include "plan/step_fields.h"

#include <cstddef>
#include <vector>

namespace accelerant::plan {

/// Reads what the result expressions of a step may refer to: the keys, then the functions' results.
/// @throws Error Unsupported unless there is one result a function
std::vector<Attribute> read_result_scope(const PlanMessage& message, const StepFields& step);

/// Fails unless the column that stands for a function's results is of their type.
void check_result(const OutputColumn& column, const AggregateCall& call);

/// Says how Spark spreads groups, unless keys have a type whose hash is not known: then groups come in another order
/// than Spark's, which they may.
Spreading spreading_of(const PlanMessage& message, const std::vector<OutputColumn>& keys, int plan_node);

/// Returns the attributes that a step gives.
std::vector<Attribute> read_given(const PlanMessage& message, const StepFields& step);

}  // namespace accelerant::plan
