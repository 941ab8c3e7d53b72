#pragma once

#include "expressions/kernel.h"

#include <span>
#include <string_view>

namespace accelerant::expressions {

/// Returns the entry of the function whose struct is F. Defined by ACC_DEFINE_FUNCTION in a source of its own.
template <class F>
const Function& function_of();

/// Returns every function, in the order of the lists.
std::span<const Function* const> all_functions();

/// Returns the functions that implement a Spark expression class; several may share one, with different signatures.
std::span<const Function* const> find_functions(std::string_view spark_class);

}  // namespace accelerant::expressions
