#pragma once

#include "plan/expression_call.h"

/// Rules for conditional functions, which are made of the program's own branches.
namespace accelerant::plan {

/// Greatest, Least(children): calls of two arguments each, of calls.
expressions::Slot bind_extreme(ExpressionCall& call);
/// NaNvl(left, right): right is looked at only where left is NaN.
expressions::Slot bind_nanvl(ExpressionCall& call);
/// AtLeastNNonNulls(n, children): NaN counts as null.
expressions::Slot bind_at_least_n_non_nulls(ExpressionCall& call);

}  // namespace accelerant::plan
