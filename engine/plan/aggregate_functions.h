#pragma once

#include "plan/aggregate.h"
#include "plan/node_fields.h"

#include <optional>
#include <vector>

namespace accelerant::plan {

/// An aggregate function as Spark has it: the call, but for its arguments and the overload for them, and the argument
/// expressions.
struct AggregateFunction {
  AggregateCall call;
  std::vector<int> arguments;
  std::optional<int> order;  ///< an expression that the values are ordered by, which must be the first argument
  /// Constants of the message: the second argument stands for the place that it has among them. nullptr: for itself.
  const Value* places = nullptr;
};

/// Reads an aggregate function.
/// @throws Error Unsupported for a class or field that is not known
AggregateFunction read_aggregate_function(const PlanMessage& message, int index);

}  // namespace accelerant::plan
