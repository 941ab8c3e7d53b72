#include "operators/sort_keys.h"

#include "operators/value_reader.h"
#include "types/integers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <limits>
#include <string_view>

namespace accelerant::operators {

using columns::Column;
using types::PhysicalType;

namespace {

template <class T>
int sign_of_order(T lhs, T rhs) {
  return static_cast<int>(lhs > rhs) - static_cast<int>(lhs < rhs);
}

template <class T>
int compare_values(T lhs, T rhs) {
  if constexpr (std::floating_point<T>) {
    if (std::isnan(lhs) || std::isnan(rhs)) return sign_of_order(std::isnan(lhs), std::isnan(rhs));
  }
  return sign_of_order(lhs, rhs);
}

int compare_values(std::string_view lhs, std::string_view rhs) { return lhs.compare(rhs); }

constexpr uint64_t kSign = uint64_t{1} << 63;

template <std::integral Integer>
uint64_t prefix_of(Integer value) {
  return static_cast<uint64_t>(static_cast<int64_t>(value)) ^ kSign;
}

uint64_t prefix_of(double value) {
  if (value == 0) value = 0;
  if (std::isnan(value)) return ~uint64_t{0};
  const auto bits = std::bit_cast<uint64_t>(value);
  return (bits & kSign) ? ~bits : bits | kSign;
}

uint64_t prefix_of(std::string_view text) {
  uint64_t prefix = 0;
  for (size_t i = 0; i < sizeof prefix; ++i) {
    prefix = prefix << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  }
  return prefix;
}

uint64_t prefix_of(int128 value) {
  using Limits = std::numeric_limits<int64_t>;
  return static_cast<uint64_t>(std::clamp<int128>(value, Limits::min(), Limits::max())) ^ kSign;
}

}  // namespace

int KeyOrder::compare(Columns lhs, int64_t lhs_row, Columns rhs, int64_t rhs_row, size_t first_key) const {
  for (size_t key = first_key; key < keys_.size(); ++key) {
    const int order = compare_key(key, lhs, lhs_row, rhs, rhs_row);
    if (order != 0) return order;
  }
  return 0;
}

int KeyOrder::compare_key(size_t key, Columns lhs, int64_t lhs_row, Columns rhs, int64_t rhs_row) const {
  const plan::SortKey& described = keys_[key];
  const Column& left = *lhs[static_cast<size_t>(described.column)];
  const Column& right = *rhs[static_cast<size_t>(described.column)];
  const bool left_is_null = left.is_null(lhs_row);
  const bool right_is_null = right.is_null(rhs_row);
  if (left_is_null || right_is_null) {
    const int order = sign_of_order(right_is_null, left_is_null);
    return described.nulls_first ? order : -order;
  }
  const PhysicalType physical = left.physical() == right.physical() ? left.physical() : PhysicalType::Int128;
  const int order = visit_physical(physical, [&](auto type) {
    using T = decltype(type);
    return compare_values(ValueReader<T>(left)(lhs_row), ValueReader<T>(right)(rhs_row));
  });
  return described.ascending ? order : -order;
}

std::vector<uint64_t> key_prefixes(const Column& column, const plan::SortKey& key) {
  const uint64_t of_null = key.nulls_first ? 0 : ~uint64_t{0};
  const uint64_t inversion = key.ascending ? 0 : ~uint64_t{0};
  const bool has_nulls = column.may_have_nulls();
  const auto num_rows = static_cast<size_t>(column.length());
  std::vector<uint64_t> prefixes(num_rows, of_null);
  visit_physical(column.physical(), [&](auto type) {
    const ValueReader<decltype(type)> value(column);
    for (size_t row = 0; row < num_rows; ++row) {
      const auto at = static_cast<int64_t>(row);
      if (!has_nulls || !column.is_null(at)) prefixes[row] = prefix_of(value(at)) ^ inversion;
    }
    return 0;
  });
  return prefixes;
}

bool tells_apart(const types::DataType& type, uint64_t prefix) {
  return type.physical() != PhysicalType::String && prefix != 0 && prefix != std::numeric_limits<uint64_t>::max();
}

}  // namespace accelerant::operators
