#pragma once

#include "plan/node.h"
#include "planner/estimates.h"

namespace accelerant::planner {

/// Returns the plan with each join building the side that is estimated to be smaller, after what the key filters of
/// joins above leave of it.
plan::NodePtr choose_join_sides(const plan::NodePtr& root, Estimator& estimator);

}  // namespace accelerant::planner
