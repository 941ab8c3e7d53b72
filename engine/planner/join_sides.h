#pragma once

#include "plan/node.h"
#include "planner/estimates.h"

namespace accelerant::planner {

/// Returns the plan with each join building the side that is estimated to be smaller.
plan::NodePtr choose_join_sides(const plan::NodePtr& root, Estimator& estimator);

}  // namespace accelerant::planner
