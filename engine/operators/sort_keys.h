#pragma once

#include "columns/column.h"
#include "plan/sort.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace accelerant::operators {

/// Orders rows as Spark does: integers and decimals by value, strings by unsigned bytes; floats with NaN greatest and
/// equal to itself, and -0.0 equal to 0.0.
class KeyOrder {
 public:
  using Columns = std::span<const columns::ColumnPtr>;

  explicit KeyOrder(std::vector<plan::SortKey> keys) : keys_(std::move(keys)) {}

  const std::vector<plan::SortKey>& keys() const { return keys_; }
  /// Compares two rows by the keys from `first_key` on: negative, 0, positive. The columns are flat; a decimal's may be
  /// of different widths.
  int compare(Columns lhs, int64_t lhs_row, Columns rhs, int64_t rhs_row, size_t first_key = 0) const;
  /// Compares two rows by one key.
  int compare_key(size_t key, Columns lhs, int64_t lhs_row, Columns rhs, int64_t rhs_row) const;

 private:
  const std::vector<plan::SortKey> keys_;
};

/// Returns a number for each row that orders rows by one key as KeyOrder does, as far as 64 bits tell them apart: rows
/// of different keys may have the same number.
/// @param column flat
std::vector<uint64_t> key_prefixes(const columns::Column& column, const plan::SortKey& key);

/// Says whether rows of this prefix have equal keys for certain. The least and the greatest prefix are shared with
/// nulls and with decimals beyond 64 bits.
bool tells_apart(const types::DataType& type, uint64_t prefix);

}  // namespace accelerant::operators
