#pragma once

#include "columns/column.h"

#include <memory>

namespace accelerant::column_functions {

/// Returns a column with one NaN for all and 0.0 for -0.0, at any depth but among keys of maps: as Spark leaves values
/// that went through sets.
columns::ColumnPtr with_normalized_floats(const columns::ColumnPtr& column,
                                          const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::column_functions
