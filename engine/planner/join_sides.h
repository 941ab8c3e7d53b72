#pragma once

#include "plan/node.h"
#include "planner/estimates.h"

namespace accelerant::planner {

/// Returns the plan with each join building the side that is estimated to cost less: by its rows, after what the key
/// filters of joins above leave of them, and by the columns that are read of it. A join of few rows builds what Spark
/// builds, so that its rows come in Spark's order.
/// @param root with the unread columns of joins dropped
plan::NodePtr choose_join_sides(const plan::NodePtr& root, Estimator& estimator);

}  // namespace accelerant::planner
