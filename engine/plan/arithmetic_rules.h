#pragma once

#include "plan/expression_call.h"

/// Rules for arithmetic functions that are other functions in disguise.
namespace accelerant::plan {

/// Round(child, scale, ansiEnabled) of integers and decimals, to places behind the point.
expressions::Slot bind_round(ExpressionCall& call);

}  // namespace accelerant::plan
