#pragma once

#include "plan/expression_call.h"

namespace accelerant::plan {

/// Returns the rules of expressions over dates and times that are more than calls of their children.
RuleMap datetime_rules();

}  // namespace accelerant::plan
