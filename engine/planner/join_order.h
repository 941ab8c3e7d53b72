#pragma once

#include "plan/node.h"
#include "planner/estimates.h"

namespace accelerant::planner {

/// Returns the plan with inner joins that stand directly above one another in the order that is estimated to be
/// cheapest: by search over all trees of up to ten inputs, greedily of more. Spark's own order stays where another one
/// gains little, and where a row of an input, a key or a condition may be in error.
/// @param estimator remembers nodes of `root` alone
plan::NodePtr order_joins(const plan::NodePtr& root, Estimator& estimator);

}  // namespace accelerant::planner
