#pragma once

#include "columns/column.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::column_functions {

/// What a lambda gives for its arguments' rows.
struct LambdaResult {
  columns::ColumnPtr column;
  std::vector<int32_t> failed;  ///< rows, ascending; their values mean nothing
};

/// A lambda among a function's arguments. One worker at a time.
class Lambda {
 public:
  virtual ~Lambda() = default;
  virtual size_t num_arguments() const = 0;
  /// Computes it for `num_rows` rows.
  /// @param columns its arguments, and then the values around it that it reads
  virtual LambdaResult evaluate(std::vector<columns::ColumnPtr> columns, int64_t num_rows) = 0;
};

/// A lambda, and the values around it that it reads: as many rows as the call has.
struct LambdaArgument {
  Lambda* lambda;
  std::span<const columns::ColumnPtr> captured;
};

}  // namespace accelerant::column_functions
