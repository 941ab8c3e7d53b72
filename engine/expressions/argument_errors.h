#pragma once

#include "expressions/value.h"

#include <span>

namespace accelerant::expressions {

/// Returns the errors of a call's arguments that reach it: Spark looks at one argument after the other.
/// @param right_first whether it begins with the last one
/// @param stops_at_null whether it looks at no further one where one is null
ErrorLane argument_errors(std::span<SlotValue* const> arguments, bool right_first, bool stops_at_null);

}  // namespace accelerant::expressions
