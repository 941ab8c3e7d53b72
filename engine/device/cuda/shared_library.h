#pragma once

#include <functional>
#include <string>
#include <variant>

namespace accelerant::device::cuda {

/// Why something of CUDA's cannot be used, in one line for people.
struct Unavailable {
  std::string reason;
};

/// Returns a function of a library by its name; null where it has none.
using FindSymbol = std::function<void*(const char* name)>;

/// Opens a shared library at run time, e.g. "libcuda.so.1", and returns how to find its functions. It is never closed:
/// CUDA's libraries have threads.
std::variant<FindSymbol, Unavailable> open_library(const std::string& name);

}  // namespace accelerant::device::cuda
