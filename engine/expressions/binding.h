#pragma once

#include "expressions/instruction.h"

#include <span>
#include <string_view>

namespace accelerant::expressions {

/// Says whether an expression gives its one argument's values unchanged: a cast to the same type, between string and
/// binary, or to a decimal of the same scale and no fewer digits.
bool keeps_values(std::string_view spark_class, std::span<const types::DataType> arguments,
                  const types::DataType& result);

/// Says whether an overload computes values of types that match it, as Spark does in a mode.
bool supports(const Overload& overload, std::span<const types::DataType> arguments, const types::DataType& result,
              EvalMode mode);

/// Finds the function and overload of a call, and makes its instruction without arguments. `nullable` says whether the
/// call itself makes nulls.
/// @throws Error Unsupported, naming the class and the types
Instruction bind_call(std::string_view spark_class, std::span<const types::DataType> arguments,
                      const types::DataType& result, EvalMode mode);

}  // namespace accelerant::expressions
