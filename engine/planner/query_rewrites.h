#pragma once

#include "plan/binder.h"

namespace accelerant::planner {

/// Leaves out of a bound plan, which has a node for each of Spark's, what Spark does to partitions: a query has none.
/// Where that shows in the rows, the verdict says so.
void drop_partitions(plan::BoundPlan& plan, plan::Verdict& verdict);

/// Rewrites such a plan into one that gives the same rows and costs less: nothing that several nodes can do together,
/// or that nobody asks for. Knows no tables.
plan::BoundPlan rewrite_for_query(plan::BoundPlan plan);

}  // namespace accelerant::planner
