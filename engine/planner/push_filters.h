#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree with filters that stand directly above scans done by the scans: one of each, the lowest.
plan::NodePtr push_filters(const plan::NodePtr& root);

}  // namespace accelerant::planner
