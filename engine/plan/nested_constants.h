#pragma once

#include "columns/column.h"
#include "plan/value.h"

#include <span>

namespace accelerant::plan {

/// Turns values of a nested type in Spark's internal form into a flat column: arrays and structs are lists, maps are
/// maps.
/// @throws Error Unsupported, as `make_constants`
columns::ColumnPtr make_nested_constants(std::span<const FieldValue* const> values, const types::DataType& type);

}  // namespace accelerant::plan
