#pragma once

#include "columns/column.h"

#include <cstdint>

namespace accelerant::column_functions {

/// Returns a number of a row's value, the same for values that `compare_values` finds equal. The column has any
/// encoding and one physical type; a null has a number, too.
uint64_t hash_value(const columns::Column& column, int64_t row);

}  // namespace accelerant::column_functions
