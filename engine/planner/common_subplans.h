#pragma once

#include "plan/binder.h"
#include "planner/estimates.h"

namespace accelerant::planner {

/// Makes aggregates that give the same rows one node, wherever they stand in a plan's trees: it runs once, and its
/// result is read in each place. An error of one is that of the first in order, as Spark's would most often be.
void share_equal_aggregates(plan::BoundPlan& plan, const Tables& tables);

}  // namespace accelerant::planner
