#pragma once

#include "types/data_type.h"

#include <algorithm>
#include <span>

namespace accelerant::column_functions {

/// Says whether floats are among values of a type. Of -0.0 and 0.0, and of NaNs, Spark's functions make different
/// things as they run compiled or not.
inline bool has_floats(const types::DataType& type) {
  if (!type.is_nested()) return type.is_floating();
  return std::ranges::any_of(type.fields(), [](const types::Field& field) { return has_floats(field.type); });
}

/// Says whether floats are among the elements of some argument.
inline bool have_floats(std::span<const types::DataType> arguments) {
  return std::ranges::any_of(arguments, has_floats);
}

}  // namespace accelerant::column_functions
