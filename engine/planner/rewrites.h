#pragma once

#include "plan/binder.h"
#include "planner/estimates.h"

namespace accelerant::planner {

/// Rewrites a plan, as query_rewrites.h leaves it, into one that costs less and gives the same rows: joins in order,
/// each with its smaller side in memory, without the columns that nobody reads, sums exact where no order is certain,
/// equal aggregates once.
/// @param tables that it reads
plan::BoundPlan rewrite(plan::BoundPlan plan, const Tables& tables);

}  // namespace accelerant::planner
