#pragma once

#include "plan/node.h"
#include "plan/verdict.h"

namespace accelerant::planner {

/// Returns a tree without exchanges in which aggregates do all of Spark's steps in one: grouping and arguments are
/// those of the lowest step, results those of the last one; sorts of partitions between them are Spark's own affair.
/// Steps that do not belong together are refused, where the aggregation ends, as is a step that no other one ends.
/// @param root_plan_node that is refused where the tree ends in a step
plan::NodePtr join_aggregate_steps(const plan::NodePtr& root, int root_plan_node, plan::Verdict& verdict);

}  // namespace accelerant::planner
