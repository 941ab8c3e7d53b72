#pragma once

#include "base/error.h"

#include <optional>
#include <string>

namespace accelerant {

/// Returns why something is unsupported: the message of the Error{Unsupported} that a function throws, or nullopt.
template <class Function>
std::optional<std::string> why_unsupported(Function function) {
  try {
    function();
    return std::nullopt;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    return error.message();
  }
}

}  // namespace accelerant
