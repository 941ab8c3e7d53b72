#pragma once

#include "columns/column.h"
#include "expressions/program.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace accelerant::expressions {

/// A set in which every value of some rows is.
class ValueSet {
 public:
  virtual ~ValueSet() = default;
  /// Says whether a row may have the value of `constant` (flat, length 1, not null, of the column's type); false is
  /// certain.
  virtual bool may_contain(const columns::Column& constant) const = 0;
};

/// What is known of a column over a set of rows without reading them. Bounds need not be attained.
struct ColumnStatistics {
  columns::ColumnPtr min;  ///< flat, length 1, of the column's type; nullptr: unknown
  columns::ColumnPtr max;  ///< likewise; of floats it is not used, as formats leave out NaN
  std::optional<int64_t> null_count;
  std::shared_ptr<const ValueSet> values = nullptr;  ///< nullptr: unknown
};

/// What a condition gives over a set of rows.
enum class Verdict : uint8_t {
  NoRow,     ///< no row passes
  EveryRow,  ///< every row passes, and none fails
  Unknown,
};

/// Decides a conjunct (a program with one boolean output) from statistics alone: comparisons of a column with a
/// constant, IN, IsNull, IsNotNull, and AND, OR, NOT of them. Rows that would have failed may be pruned with the
/// others.
/// @param statistics by position of the program's input columns; positions beyond its end are unknown
Verdict prune(const Program& conjunct, std::span<const ColumnStatistics> statistics, int64_t num_rows);

}  // namespace accelerant::expressions
