#pragma once

#include "plan/expression_call.h"

/// Rules for arithmetic functions that are other functions in disguise.
namespace accelerant::plan {

/// Round, BRound(child, scale, ansiEnabled): of floating-point numbers, and of others to places behind the point.
expressions::Slot bind_round(ExpressionCall& call);

}  // namespace accelerant::plan
