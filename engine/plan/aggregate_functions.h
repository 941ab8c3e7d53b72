#pragma once

#include "plan/aggregate.h"
#include "plan/node_fields.h"

#include <vector>

namespace accelerant::plan {

/// An aggregate function as Spark has it: the call, but for where its arguments are, and the argument expressions.
struct AggregateFunction {
  AggregateCall call;
  std::vector<int> arguments;
};

/// Reads an aggregate function.
/// @throws Error Unsupported for a class or field that is not known
AggregateFunction read_aggregate_function(const PlanMessage& message, int index);

/// Says whether the engine has the function for a bound call's types; others than Spark's own are not among them.
bool has_sound_types(const AggregateCall& call);

}  // namespace accelerant::plan
