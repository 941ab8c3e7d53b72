#pragma once

#include "columns/batch.h"
#include "memory/array.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::operators {

/// What a function of a window gives of some rows.
struct WindowResult {
  static constexpr int32_t kNone = -1;

  /// Returns the results of rows [first, first + length), from those on that are emitted.
  columns::ColumnPtr read(int64_t first, int64_t length, const std::shared_ptr<memory::Budget>& budget) const;

  int32_t num_before = 0;                        ///< rows that it is of, too, and that are not emitted
  columns::ColumnPtr values;                     ///< flat
  std::optional<memory::Array<int32_t>> places;  ///< where in `values` a row's is, or kNone; none: in its own place
  columns::ColumnPtr defaults;                   ///< of rows that have none, flat; nullptr: null
  std::vector<columns::RowError> errors;         ///< ascending by row
};

}  // namespace accelerant::operators
