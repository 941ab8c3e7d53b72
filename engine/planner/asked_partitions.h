#pragma once

#include "plan/binder.h"
#include "plan/node.h"

namespace accelerant::planner {

/// Drops the exchanges of a bound plan that a program asks for, where nobody can tell their partitions from those that
/// the rows have without: an operator above gives its own rows other partitions. A single partition of the result is
/// noted in the plan. Of the others the verdict says that they are Spark's.
void settle_asked_partitions(plan::BoundPlan& plan, plan::Verdict& verdict);

}  // namespace accelerant::planner
