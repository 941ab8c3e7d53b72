#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree with each of Spark's sorts, limits and projections in one as three nodes.
plan::NodePtr take_ordered_apart(const plan::NodePtr& root);

}  // namespace accelerant::planner
