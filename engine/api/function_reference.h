#pragma once

#include <string>

namespace accelerant::api {

/// Returns the scalar functions that the engine has, a line for each signature:
/// `Spark class \t SQL \t argument types, separated by commas \t result type \t description`.
/// Types are Spark's SQL names; `decimal` stands for any precision and scale, `any` for any type.
std::string function_reference();

/// Returns the aggregate functions that the engine has, a line for each signature, in the same form, with words that
/// say what is particular about it before the description, separated by commas: `order-sensitive`, `distinct`,
/// `can-fail` of a group under ANSI, `computed` where the result need not be one of the values, `literal-1` of a second
/// argument that must be a literal.
std::string aggregate_reference();

/// Returns the functions that only windows have, a line each, in the form of `function_reference`.
std::string window_reference();

}  // namespace accelerant::api

extern "C" {
/// Returns api::function_reference() for programs that load the library. The text lives as long as the process.
__attribute__((visibility("default"))) const char* accelerant_function_reference();
/// Likewise, api::aggregate_reference().
__attribute__((visibility("default"))) const char* accelerant_aggregate_reference();
/// Likewise, api::window_reference().
__attribute__((visibility("default"))) const char* accelerant_window_reference();
}
