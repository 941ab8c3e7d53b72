#pragma once

#include <map>
#include <string>

namespace accelerant::codegen {

/// Returns the text of the headers that generated kernels may include, by the names that includes have them by. The
/// build makes it (cmake/embedded_headers.cmake).
const std::map<std::string, std::string>& embedded_headers();

}  // namespace accelerant::codegen
