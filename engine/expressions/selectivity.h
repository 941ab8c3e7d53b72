#pragma once

#include "columns/column.h"
#include "expressions/program.h"

#include <functional>
#include <optional>
#include <span>

namespace accelerant::expressions {

/// What is estimated of a column's values; only costs depend on it.
struct ColumnEstimate {
  double num_distinct = 1;    ///< values that may occur, without null
  double null_share = 0;      ///< of the rows
  std::optional<double> min;  ///< as `as_number` has it
  std::optional<double> max;  ///< likewise
};

/// Estimates the column at a position of a program's input.
using ColumnEstimates = std::function<ColumnEstimate(int column)>;

/// Returns the value of a column of length 1 as a number that orders values of its type; nullopt for null, and for
/// types that are no numbers. Decimals are taken unscaled.
std::optional<double> as_number(const columns::Column& value);

/// Returns the column for which a condition asks that it be not null, and nothing else; nullopt for other conditions.
std::optional<int> column_asked_for_value(const Program& condition);

/// Estimates the share of rows for which every output of every program is true. Bounds that several conjuncts put on
/// one column are taken together; all else counts as independent.
/// @param conjuncts programs over the same input, whose outputs are boolean
double passing_share(std::span<const std::shared_ptr<const Program>> conjuncts, const ColumnEstimates& columns);

}  // namespace accelerant::expressions
