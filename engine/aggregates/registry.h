#pragma once

#include "aggregates/function.h"

#include <span>
#include <string_view>

namespace accelerant::aggregates {

/// Returns the entry of the function whose struct is F. Defined by ACC_DEFINE_AGGREGATE in a source of its own.
template <class F>
const Function& function_of();

/// Returns every aggregate function, in the order of the list.
std::span<const Function* const> all_functions();

/// Returns the function that implements a Spark expression class; nullptr: none does.
const Function* find_function(std::string_view spark_class);

/// Returns a call of the function that SQL calls so, for what makes plans without Spark: tests, tools, benchmarks.
/// @throws Error Internal if no function takes and gives these types
Call call_of(std::string_view name, std::vector<types::DataType> argument_types, types::DataType result_type);

}  // namespace accelerant::aggregates
