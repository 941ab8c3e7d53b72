#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree with sorts by columns alone: keys that are computed become columns below a sort, which a choice
/// above it leaves out.
plan::NodePtr put_sort_keys_below(const plan::NodePtr& root);

}  // namespace accelerant::planner
