#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree with aggregates that group groups once more by all of their keys, and compute nothing, as choices
/// of columns: GROUP BY without functions looks the same in all its steps.
plan::NodePtr drop_distinct_steps(const plan::NodePtr& root);

}  // namespace accelerant::planner
