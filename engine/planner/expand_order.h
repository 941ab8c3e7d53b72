#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree with expansions that give rows in any order where the aggregates above them do not depend on it:
/// each group has rows of one projection, or no function is order-sensitive.
plan::NodePtr relax_expand_order(const plan::NodePtr& root);

}  // namespace accelerant::planner
