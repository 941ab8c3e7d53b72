#pragma once

#include "expressions/program.h"

namespace accelerant::expressions {

/// Says whether a program compares its two input columns as array_sort does where no lambda is given to it: -1, 0 or 1,
/// null last. False is not certain.
bool is_natural_order(const Program& program);

}  // namespace accelerant::expressions
