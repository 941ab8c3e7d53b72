#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace accelerant::column_functions {

/// Returns the text that a regular expression of Java's stands for, where it stands for one: characters as they are,
/// and others than letters and digits behind a backslash. Nothing of a pattern that is empty, or not UTF-8.
std::optional<std::string> text_of_pattern(std::string_view pattern);

}  // namespace accelerant::column_functions
