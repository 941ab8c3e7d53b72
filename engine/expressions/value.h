#pragma once

#include "columns/column.h"
#include "expressions/error_lane.h"
#include "types/decimal.h"

namespace accelerant::expressions {

/// What a slot holds for a batch. At failed rows the column's value and nullness mean nothing.
struct SlotValue {
  columns::ColumnPtr column;
  ErrorLane errors;
  /// Bounds of the rows that are not null, for decimals and integers, as far as somebody asked for them.
  types::DecimalRange range = types::DecimalRange::unknown();
  bool range_is_exact = false;  ///< the rows themselves were looked at; there is no better range
};

}  // namespace accelerant::expressions
