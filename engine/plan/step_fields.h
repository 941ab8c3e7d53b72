#pragma once

#include "plan/node_fields.h"
#include "plan/plan_message.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace accelerant::plan {

/// An aggregate function of a step or of a window.
struct AggregateExpression {
  int function;  ///< node of the aggregate function
  std::string_view mode;
  bool is_distinct;
  std::optional<int> filter;
  int64_t result_id;
};

/// Reads an AggregateExpression.
/// @throws Error Unsupported for a field that is not known
AggregateExpression read_aggregate_expression(const PlanMessage& message, int index);

/// A HashAggregate, SortAggregate or ObjectHashAggregate: one step of an aggregation.
struct StepFields {
  int plan_node;
  int child;
  std::vector<int> grouping;
  std::vector<AggregateExpression> calls;
  std::vector<int> result_attributes;
  std::vector<int> results;
  bool sorts;  ///< Spark sorts all rows by the keys before it groups them
};

/// Reads the fields of a step.
/// @throws Error Unsupported for a field that is not known
StepFields read_step(const PlanMessage& message, NodeFields& fields);

/// Returns what a step does: "Partial" takes in rows; "PartialMerge" merges the results of Partial steps, and may take
/// in rows for DISTINCT functions; "Final" ends an aggregation; "Complete" is all in one; "" has no functions.
/// @throws Error Unsupported for other mixtures of modes
std::string_view mode_of(const StepFields& step);

}  // namespace accelerant::plan
