#pragma once

#include "plan/binder.h"
#include "plan/verdict.h"

namespace accelerant::planner {

/// Gives a plan whose root writes files the rows that its writers take, and says so in the plan: the number of each
/// row's bucket becomes a column behind the others. A sort of each partition goes that begins with folders and buckets,
/// as the writers do that themselves, by further columns, too. One by expressions, or of rows of one folder, is a sort
/// of all rows. The root is refused where there can be no such sort.
void lay_out_files(plan::BoundPlan& plan, plan::Verdict& verdict);

}  // namespace accelerant::planner
