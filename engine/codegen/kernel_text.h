#pragma once

#include "codegen/kernel_compiler.h"

#include <cstdint>
#include <set>
#include <string>

namespace accelerant::codegen {

/// Puts the text of a kernel together. Its name tells texts apart.
/// @param prefix begins the name
/// @param headers that it includes
/// @param base what its struct inherits from; empty: nothing
/// @param body members of the struct, of which `Kernel` is another name
/// @throws Error Unsupported where it is too long
KernelText make_kernel_text(const std::string& prefix, const std::set<std::string>& headers, const std::string& base,
                            const std::string& body, int32_t num_threads);

}  // namespace accelerant::codegen
