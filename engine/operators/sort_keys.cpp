#include "operators/sort_keys.h"

#include "base/error.h"
#include "operators/value_reader.h"
#include "types/integers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>

namespace accelerant::operators {

using columns::Column;
using types::PhysicalType;

namespace {

/// Appends the value's bytes, most significant first.
template <class Unsigned>
void append_big_endian(std::vector<char>& to, Unsigned value) {
  for (int shift = static_cast<int>(sizeof value) * 8 - 8; shift >= 0; shift -= 8) {
    to.push_back(static_cast<char>(static_cast<unsigned char>(value >> shift)));
  }
}

template <class Unsigned, class Signed>
void append_integer(std::vector<char>& to, Signed value) {
  constexpr Unsigned kSign = Unsigned{1} << (sizeof(Unsigned) * 8 - 1);
  append_big_endian(to, static_cast<Unsigned>(static_cast<Unsigned>(value) ^ kSign));
}

template <class Unsigned, class Float>
void append_float(std::vector<char>& to, Float value) {
  constexpr Unsigned kSign = Unsigned{1} << (sizeof(Unsigned) * 8 - 1);
  if (value == 0) value = 0;
  if (std::isnan(value)) return append_big_endian(to, static_cast<Unsigned>(~Unsigned{0}));
  const auto bits = std::bit_cast<Unsigned>(value);
  append_big_endian(to, static_cast<Unsigned>((bits & kSign) ? ~bits : bits | kSign));
}

void append_string(std::vector<char>& to, types::StringRef text) {
  for (int32_t i = 0; i < text.length; ++i) {
    to.push_back(text.data[i]);
    if (text.data[i] == 0) to.push_back(1);
  }
  to.push_back(0);
  to.push_back(0);
}

void append_value(std::vector<char>& to, const Column& column, const types::DataType& type, int64_t row) {
  switch (column.physical()) {
    case PhysicalType::Bool:
    case PhysicalType::Int8:
      return append_integer<uint8_t>(to, column.values<int8_t>()[row]);
    case PhysicalType::Int16:
      return append_integer<uint16_t>(to, column.values<int16_t>()[row]);
    case PhysicalType::Int32:
      return append_integer<uint32_t>(to, column.values<int32_t>()[row]);
    case PhysicalType::Int64:
      if (type.is_decimal()) return append_integer<uint128>(to, static_cast<int128>(column.values<int64_t>()[row]));
      return append_integer<uint64_t>(to, column.values<int64_t>()[row]);
    case PhysicalType::Int128:
      return append_integer<uint128>(to, column.values<int128>()[row]);
    case PhysicalType::Float32:
      return append_float<uint32_t>(to, column.values<float>()[row]);
    case PhysicalType::Float64:
      return append_float<uint64_t>(to, column.values<double>()[row]);
    case PhysicalType::String:
      return append_string(to, column.string_at(row));
    default:
      return;
  }
}

void invert(std::span<char> bytes) {
  for (char& byte : bytes) byte = static_cast<char>(~byte);
}

}  // namespace

bool SortKeys::supports(const types::DataType& type) { return !type.is_nested(); }

SortKeys::SortKeys(const std::vector<columns::ColumnPtr>& columns, const std::vector<plan::SortKey>& keys,
                   const execution::OperatorContext& ctx)
    : cancellation_(*ctx.cancellation), reservation_(ctx.budget, 0) {
  const int64_t num_rows = columns.empty() ? 0 : columns[0]->length();
  reservation_.resize((num_rows + 1) * static_cast<int64_t>(sizeof(int64_t)));
  offsets_.reserve(static_cast<size_t>(num_rows) + 1);
  offsets_.push_back(0);
  for (int64_t row = 0; row < num_rows; ++row) {
    for (const plan::SortKey& key : keys) {
      const Column& column = *columns[static_cast<size_t>(key.column)];
      const bool is_null = column.is_null(row);
      bytes_.push_back(static_cast<char>(is_null == key.nulls_first ? 0 : 1));
      if (is_null) continue;
      const size_t first = bytes_.size();
      append_value(bytes_, column, column.type(), row);
      if (!key.ascending) invert(std::span(bytes_).subspan(first));
    }
    offsets_.push_back(static_cast<int64_t>(bytes_.size()));
    if ((row & 1023) == 0 || row + 1 == num_rows) {
      cancellation_.check();
      reservation_.resize(static_cast<int64_t>(bytes_.capacity() + offsets_.capacity() * sizeof(int64_t)));
    }
  }
}

namespace {

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

std::vector<int32_t> SortKeys::sorted_rows() const {
  std::vector<int32_t> rows(offsets_.size() - 1);
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(), [&](int32_t a, int32_t b) {
    cancellation_.check();
    return key(a) < key(b);
  });
  return rows;
}

}  // namespace accelerant::operators
