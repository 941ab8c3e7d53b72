#pragma once

#include "columns/column.h"
#include "types/string_view.h"

#include <optional>
#include <string>
#include <string_view>

namespace accelerant::column_functions {

/// Returns the text that a regular expression of Java's stands for, where it stands for one: characters as they are,
/// and others than letters and digits behind a backslash. Nothing of a pattern that is empty, or not UTF-8.
std::optional<std::string> text_of_pattern(std::string_view pattern);

/// Returns a constant of the text that an argument of a call, a pattern, stands for; refuses what stands for none.
template <class Call, class Slot>
Slot bind_pattern(const Call& call, Slot pattern) {
  const columns::ColumnPtr constant = call.builder().constant_of(pattern);
  if (!constant || constant->is_null(0)) call.refuse("at a pattern that is no constant");
  const types::StringRef bytes = constant->string_at(0);
  const std::optional<std::string> part = text_of_pattern({bytes.data, static_cast<size_t>(bytes.length)});
  if (!part) call.refuse("at a pattern that stands for more than one text");
  return call.constant_text(*part);
}

}  // namespace accelerant::column_functions
