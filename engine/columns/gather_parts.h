#pragma once

#include "columns/column.h"

#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::columns {

/// A row of one of several columns.
struct PartRow {
  int32_t part;  ///< which of the columns
  int32_t row;
};

/// Returns rows of several columns in any order as a flat column. Strings share the heaps of all parts.
/// @param parts flat, at least one, all of one type; decimals of both widths may be mixed
ColumnPtr gather_parts(std::span<const ColumnPtr> parts, std::span<const PartRow> rows,
                       const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::columns
