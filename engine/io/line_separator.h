#pragma once

#include "io/read_options.h"

#include <optional>

namespace accelerant::io {

/// Takes the option lineSep: what ends a line; nothing where each of \n, \r\n and \r does.
/// @throws Error Unsupported for any but one ASCII character
std::optional<char> take_line_separator(ReadOptions& options);

}  // namespace accelerant::io
