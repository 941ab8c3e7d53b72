#pragma once

#include "expressions/kernel.h"

#include <span>
#include <string_view>

namespace accelerant::expressions {

/// Returns the entry of the function whose struct is F. Defined by ACC_DEFINE_FUNCTION in a source of its own.
template <class F>
const Function& function_of();

/// Where the struct of a function stands, for text that names it.
struct FunctionSource {
  const char* header;       ///< e.g. "functions/arithmetic/add.h"
  const char* struct_name;  ///< in accelerant::functions, e.g. "Add"
};

/// Returns where a function of the registry stands; not of one over columns.
FunctionSource source_of(const Function& function);

/// Returns every function, in the order of the lists.
std::span<const Function* const> all_functions();

/// Returns the functions that implement a Spark expression class; several may share one, with different signatures.
std::span<const Function* const> find_functions(std::string_view spark_class);

/// Says whether results of some function depend on a setting of Spark's.
bool is_setting_of_functions(std::string_view name);

}  // namespace accelerant::expressions
