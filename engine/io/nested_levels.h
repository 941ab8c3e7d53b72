#pragma once

#include "columns/column.h"
#include "memory/budget.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace accelerant::io {

/// What a leaf of a nested column holds for some rows, as the Dremel paper (Melnik et al., 2010) takes records apart.
struct LeafEntries {
  std::vector<int16_t> repetitions;
  std::vector<int16_t> definitions;
  std::vector<int32_t> positions;  ///< of those that have a value, in the leaf's column
};

/// Returns a column in which it and all below are flat, so that it can be taken apart.
columns::ColumnPtr flatten_deeply(const columns::ColumnPtr& column, const std::shared_ptr<memory::Budget>& budget);

/// Takes rows [offset, offset + length) of a nested column apart and visits its leaves in the schema's order.
/// @param column as flatten_deeply returns it
/// @param nullable whether the column's own nulls have a level
void for_each_leaf(const columns::Column& column, bool nullable, int64_t offset, int64_t length,
                   const std::function<void(const columns::Column& leaf, const LeafEntries& entries)>& visit);

}  // namespace accelerant::io
