#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree with limits above sorts as one node, where not too many rows are wanted: nothing else is sorted.
plan::NodePtr make_top_k(const plan::NodePtr& root);

}  // namespace accelerant::planner
