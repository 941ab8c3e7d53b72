#pragma once

#include "plan/plan_message.h"
#include "plan/sort.h"

namespace accelerant::plan {

/// A SortOrder: the expression, and the key but for its column.
struct Order {
  int expression;
  SortKey key;
};

/// Reads a SortOrder.
/// @throws Error Unsupported for a field that is not known
Order read_order(const PlanMessage& message, int index);

}  // namespace accelerant::plan
