#pragma once

#include "columns/column.h"
#include "memory/buffer.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace accelerant::operators {

/// Returns arrays as a column, one a group: what a group has met of distinct values.
/// @param ends where each array ends in the elements, one after the other
inline columns::ColumnPtr distinct_lists(columns::ColumnPtr elements, std::span<const int32_t> ends,
                                         const std::shared_ptr<memory::Budget>& budget) {
  const auto length = static_cast<int64_t>(ends.size());
  auto offsets = memory::Buffer::allocate((length + 1) * static_cast<int64_t>(sizeof(int32_t)), budget);
  offsets->mutable_as<int32_t>()[0] = 0;
  std::ranges::copy(ends, offsets->mutable_as<int32_t>() + 1);
  const types::DataType type = types::DataType::array(elements->type(), true);
  columns::FlatParts parts{type, types::PhysicalType::Array, length, 0, std::move(offsets), nullptr, {}, {}};
  parts.children.push_back(std::move(elements));
  return columns::Column::flat(std::move(parts));
}

}  // namespace accelerant::operators
