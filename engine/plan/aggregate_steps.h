#pragma once

#include "plan/node_fields.h"
#include "plan/plan_message.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace accelerant::plan {

/// An AggregateExpression of a step.
struct AggregateExpression {
  int function;  ///< node of the aggregate function
  std::string_view mode;
  bool is_distinct;
  std::optional<int> filter;
  int64_t result_id;
};

/// A HashAggregate, SortAggregate or ObjectHashAggregate: one step of an aggregation.
struct AggregateStep {
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
AggregateStep read_step(const PlanMessage& message, NodeFields& fields);

/// Returns what a step does: "Partial" takes in rows; "PartialMerge" merges the results of Partial steps, and may take
/// in rows for DISTINCT functions; "Final" ends an aggregation; "Complete" is all in one; "" has no functions.
/// @throws Error Unsupported for other mixtures of modes
std::string_view mode_of(const AggregateStep& step);

/// Where the parts of one function of an aggregation are.
struct AggregatePart {
  AggregateExpression call;  ///< as the step that takes in its rows has it
  bool distinct;             ///< that step is above one that made its arguments distinct
};

/// Returns the part of each function of the topmost step.
/// @param steps from the lowest, which takes in rows, to the one that gives results; one step is a complete one
/// @throws Error Unsupported when the steps do not belong together
std::vector<AggregatePart> match_steps(const PlanMessage& message, const std::vector<AggregateStep>& steps);

/// Returns the ids of named expressions.
std::set<int64_t> ids_of(const PlanMessage& message, const std::vector<int>& named);

}  // namespace accelerant::plan
