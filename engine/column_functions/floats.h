#pragma once

#include "types/data_type.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>

namespace accelerant::column_functions {

/// Says whether floats are among values of a type.
inline bool has_floats(const types::DataType& type) {
  if (!type.is_nested()) return type.is_floating();
  return std::ranges::any_of(type.fields(), [](const types::Field& field) { return has_floats(field.type); });
}

/// Says whether floats are among the elements of some argument.
inline bool have_floats(std::span<const types::DataType> arguments) {
  return std::ranges::any_of(arguments, has_floats);
}

/// Says whether a version of Spark's takes all NaNs in sets of elements for one, and both zeros. Older ones make
/// different things of them as they run compiled or not.
inline bool has_sets_of_floats(std::string_view version) {
  if (version.starts_with("4.3.")) return true;
  if (!version.starts_with("4.1.")) return false;
  constexpr int kFirst = 4;
  int patch = 0;
  std::from_chars(version.data() + 4, version.data() + version.size(), patch);
  return patch >= kFirst;
}

}  // namespace accelerant::column_functions
