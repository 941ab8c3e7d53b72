#pragma once

#include "plan/binder.h"
#include "planner/same_nodes.h"

namespace accelerant::planner {

/// Has an aggregate make the rows of joins distinct that other joins, semi and anti ones, only ask whether there is one
/// of, where several of these have equal sides: an aggregate can be shared, which runs the joins once.
void make_repeated_sides_distinct(plan::BoundPlan& plan, const NodeComparison& comparison);

}  // namespace accelerant::planner
