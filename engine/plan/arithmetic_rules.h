#pragma once

#include "plan/expression_call.h"

/// Rules for arithmetic functions that are other functions in disguise.
namespace accelerant::plan {

/// Round, BRound(child, scale, ansiEnabled): of floating-point numbers, and of others to places behind the point.
expressions::Slot bind_round(ExpressionCall& call);

/// Ceil, Floor(child, failOnError): Spark before 4.3 lacks the latter, and cuts to the bounds of the type.
expressions::Slot bind_whole_number(ExpressionCall& call);

/// RoundCeil, RoundFloor(child, scale): a decimal to places behind the point, upwards or downwards.
expressions::Slot bind_round_to_side(ExpressionCall& call);

}  // namespace accelerant::plan
