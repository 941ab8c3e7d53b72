#pragma once

#include "functions/aggregate/definition.h"

namespace accelerant::functions {

/// State of Count.
struct RowCount {
  int64 rows;

  using Columns = StateColumns<Column<&RowCount::rows, Combine::Sum>>;
  using BatchState = RowCount;

  ACC_HD static RowCount init() { return {0}; }
  ACC_HD ACC_INLINE void update() { ++rows; }
  ACC_HD ACC_INLINE void retract() { --rows; }
  ACC_HD void merge(const RowCount& other) { rows += other.rows; }
};

}  // namespace accelerant::functions
