#pragma once

#include "columns/column.h"

#include <cstdint>
#include <span>

namespace accelerant::aggregates {

/// The group of each row of a batch. Group 0 is nobody's: rows that do not count are sent there. Groups proper start
/// at 1.
struct GroupedRows {
  const int32_t* groups;  ///< one a row; nullptr: every row is of group 1
  int64_t num_rows;
  int64_t num_groups;  ///< one more than the largest group so far
  int64_t batch = 0;   ///< ascends in the order of the query's batches
  /// That of Spark's which the rows are of; ascends likewise. -1: their order may be another one in another run.
  int64_t partition = -1;

  int32_t group_of(int64_t row) const { return groups ? groups[row] : 1; }
};

/// The flat arguments of an aggregate function, one value a row each.
using Arguments = std::span<const columns::ColumnPtr>;

inline bool may_have_nulls(Arguments arguments) {
  bool has_nulls = false;
  for (const columns::ColumnPtr& argument : arguments) has_nulls |= argument->may_have_nulls();
  return has_nulls;
}

/// Calls `add(group, row)` for each row none of whose arguments is null.
template <class Add>
void for_each_value(const GroupedRows& rows, Arguments arguments, Add add) {
  const bool has_nulls = may_have_nulls(arguments);
  for (int64_t row = 0; row < rows.num_rows; ++row) {
    if (has_nulls) {
      bool null = false;
      for (const columns::ColumnPtr& argument : arguments) null |= argument->is_null(row);
      if (null) continue;
    }
    add(rows.group_of(row), row);
  }
}

}  // namespace accelerant::aggregates
