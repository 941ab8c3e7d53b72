#pragma once

#include "columns/column.h"
#include "execution/context.h"
#include "memory/budget.h"
#include "plan/sort.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace accelerant::operators {

/// Rows' sort keys as bytes whose unsigned order is the rows' order (normalised keys): null order, then big-endian
/// values with the sign flipped, strings with zero bytes escaped and a terminator, all inverted for descending keys.
/// Floats: -0.0 equals 0.0, NaN is greatest and equal to itself.
class SortKeys {
 public:
  /// @param columns flat, all of the same length
  /// @throws Error Cancelled
  SortKeys(const std::vector<columns::ColumnPtr>& columns, const std::vector<plan::SortKey>& keys,
           const execution::OperatorContext& ctx);

  std::string_view key(int64_t row) const {
    const auto first = offsets_[static_cast<size_t>(row)];
    return {bytes_.data() + first, static_cast<size_t>(offsets_[static_cast<size_t>(row) + 1] - first)};
  }
  /// Returns the rows in order; rows with equal keys keep theirs.
  /// @throws Error Cancelled
  std::vector<int32_t> sorted_rows() const;
  /// Says whether columns of this type can be sorted by.
  static bool supports(const types::DataType& type);

 private:
  const execution::Cancellation& cancellation_;
  memory::Reservation reservation_;
  std::vector<int64_t> offsets_;
  std::vector<char> bytes_;
};

/// Returns a number for each row that orders rows by one key as SortKeys does, as far as 64 bits tell them apart: rows
/// of different keys may have the same number.
/// @param column flat
std::vector<uint64_t> key_prefixes(const columns::Column& column, const plan::SortKey& key);

}  // namespace accelerant::operators
