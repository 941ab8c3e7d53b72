#pragma once

#include "plan/aggregate.h"
#include "plan/node_fields.h"

#include <span>
#include <vector>

namespace accelerant::plan {

/// An aggregate function as Spark has it: the call, but for its arguments and the overload for them, and the argument
/// expressions.
struct AggregateFunction {
  AggregateCall call;
  std::vector<int> arguments;
  std::vector<int> orders;  ///< expressions that the values of the first are ordered by, as `call.orders` says
  /// Constants of the message: the second argument stands for the place that it has among them. nullptr: for itself.
  const FieldValue* places = nullptr;
};

/// Says whether values are taken in the order of rows or in their own, which becomes an option of the call.
/// @param orders slots of `function.orders`
/// @param value slot of the first argument
bool order_by_themselves(AggregateFunction& function, std::span<const expressions::Slot> orders,
                         expressions::Slot value);

/// Reads an aggregate function.
/// @throws Error Unsupported for a class or field that is not known
AggregateFunction read_aggregate_function(const PlanMessage& message, int index);

}  // namespace accelerant::plan
