#pragma once

#include "plan/expression_call.h"

/// Rules for values that become texts, beside those that a cast of the registry makes.
namespace accelerant::plan {

/// Returns the text of an interval of days to seconds, or of years to months.
expressions::Slot interval_text(const ExpressionCall& call, expressions::Slot interval);

/// ToPrettyString(child, timeZoneId): what `show` prints of a value, "NULL" of null.
expressions::Slot bind_pretty_string(ExpressionCall& call);

}  // namespace accelerant::plan
