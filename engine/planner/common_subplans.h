#pragma once

#include "plan/binder.h"
#include "planner/estimates.h"

namespace accelerant::planner {

/// Makes aggregates of the same groups one node, wherever they stand in a plan's trees, and windows that emit the same:
/// it runs once, and its result is read in each place. What several semi and anti joins ask of is made such an
/// aggregate first. An error of one is that of the first in order, as Spark's would most often be.
void share_equal_subplans(plan::BoundPlan& plan, const Tables& tables);

}  // namespace accelerant::planner
