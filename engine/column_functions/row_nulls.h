#pragma once

#include "base/bits.h"
#include "columns/column.h"
#include "memory/buffer.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace accelerant::column_functions {

/// Returns a flat column without nulls at offset 0 with these rows null.
inline columns::ColumnPtr with_nulls(const columns::ColumnPtr& column, std::span<const int64_t> rows,
                                     const std::shared_ptr<memory::Budget>& budget) {
  if (rows.empty()) return column;
  columns::FlatParts parts = column->parts();
  auto validity = memory::Buffer::allocate(bits::bytes_for(parts.length), budget);
  bits::fill(validity->mutable_data(), parts.length, true);
  for (const int64_t row : rows) bits::clear(validity->mutable_data(), row);
  parts.validity = std::move(validity);
  return columns::Column::flat(std::move(parts));
}

}  // namespace accelerant::column_functions
