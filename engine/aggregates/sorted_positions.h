#pragma once

#include "aggregates/function.h"
#include "columns/column.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::aggregates {

/// Stands for an argument that is a struct: a text, and what texts are put in order by.
struct OrderedText {
  using Type = types::StringRef;
};

/// Returns rows of a flat column of structs in the order of their members after the first: of the first of these, where
/// it is equal of the second, and so on; where all are equal they stay as they were.
/// @param orders of each such member
std::vector<int32_t> sorted_positions(const columns::Column& structs, std::span<const int32_t> rows,
                                      std::span<const ValueOrder> orders);

}  // namespace accelerant::aggregates
