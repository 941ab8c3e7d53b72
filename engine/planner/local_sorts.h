#pragma once

#include "plan/node.h"
#include "plan/verdict.h"

namespace accelerant::planner {

/// Returns a tree without exchanges without its sorts of each partition: joins do not depend on them, nor aggregates,
/// but for order-sensitive functions over a sort that a program asked for. Anything else is refused.
/// @param root_plan_node that is refused where the tree ends in one
plan::NodePtr drop_local_sorts(const plan::NodePtr& root, int root_plan_node, plan::Verdict& verdict);

}  // namespace accelerant::planner
