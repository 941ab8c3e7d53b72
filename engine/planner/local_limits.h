#pragma once

#include "plan/node.h"
#include "plan/verdict.h"

namespace accelerant::planner {

/// Returns a tree without exchanges without its limits of each partition. Below a limit of all rows they are
/// superfluous; elsewhere all rows are as good as one partition: one becomes a limit of all, unless it holds so many
/// rows that it may cost more than it spares.
/// @param root_plan_node that is refused where the tree ends in one
plan::NodePtr replace_local_limits(const plan::NodePtr& root, int root_plan_node, plan::Verdict& verdict);

}  // namespace accelerant::planner
