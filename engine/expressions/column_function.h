#pragma once

#include "column_functions/definition.h"
#include "expressions/type_pattern.h"

#include <span>
#include <vector>

namespace accelerant::expressions {

/// A function over columns as the registry knows it; see column_functions/definition.h.
struct ColumnFunction {
  std::vector<TypePattern> signatures;
  columns::ColumnPtr (*call)(column_functions::ColumnCall&) = nullptr;
  bool sees_nulls = false;
  int num_lambdas = 0;
  /// Says whether it takes arguments of such types to such a result; nullptr: all types that fit a signature.
  bool (*supports)(std::span<const types::DataType>, const types::DataType&) = nullptr;
  bool (*can_fail)(bool ansi) = nullptr;  ///< nullptr: never
};

}  // namespace accelerant::expressions
