#pragma once

#include "expressions/value.h"

namespace accelerant::expressions {

/// Returns bounds of a value's rows that are not null, by looking at every one, and keeps them in it.
/// Integers and decimals; unknown for int128.
types::DecimalRange find_range(SlotValue& value);

/// Keeps bounds in a value that are cheaper to find: the next powers of two, by the bits set in some row. Leaves a
/// range alone that is no wider.
void tighten_range(SlotValue& value);

}  // namespace accelerant::expressions
