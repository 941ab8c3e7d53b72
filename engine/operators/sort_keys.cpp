#include "operators/sort_keys.h"

#include "column_functions/value_order.h"
#include "columns/value_reader.h"
#include "types/integers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

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
uint64_t word_of(Integer value) {
  return static_cast<uint64_t>(static_cast<int64_t>(value)) ^ kSign;
}

uint64_t word_of(double value) {
  if (value == 0) value = 0;
  if (std::isnan(value)) return ~uint64_t{0};
  const auto bits = std::bit_cast<uint64_t>(value);
  return (bits & kSign) ? ~bits : bits | kSign;
}

/// Bytes of a text in a word. Its last byte is the number of those that are left, or more than there is room for.
constexpr size_t kTextBytes = 7;
constexpr uint64_t kMoreBytes = kTextBytes + 1;

uint64_t word_of(std::string_view text) {
  uint64_t word = 0;
  std::memcpy(&word, text.data(), std::min(text.size(), kTextBytes));
  return (__builtin_bswap64(word) | std::min<uint64_t>(text.size(), kMoreBytes));
}

uint64_t word_of(int128 value) {
  using Limits = std::numeric_limits<int64_t>;
  return static_cast<uint64_t>(std::clamp<int128>(value, Limits::min(), Limits::max())) ^ kSign;
}

/// Leaves of a text what the `depth`th word begins with; other values have one word.
template <class T>
T from_word(T value, size_t depth) {
  if constexpr (std::is_same_v<T, std::string_view>) return value.substr(std::min(depth * kTextBytes, value.size()));
  return value;
}

/// Calls `set` with each i below `num_rows` and the word of row `row_of(i)`.
template <class RowOf, class Set>
void for_each_word(const Column& column, const plan::SortKey& key, size_t depth, size_t num_rows, RowOf row_of,
                   Set set) {
  const uint64_t of_null = key.nulls_first ? 0 : ~uint64_t{0};
  const uint64_t inversion = key.ascending ? 0 : ~uint64_t{0};
  const bool has_nulls = column.may_have_nulls();
  const bool is_known = columns::visit_physical(column.physical(), [&](auto type) {
    const columns::ValueReader<decltype(type)> value(column);
    for (size_t i = 0; i < num_rows; ++i) {
      const int64_t row = row_of(i);
      const bool is_null = has_nulls && column.is_null(row);
      set(i, is_null ? of_null : word_of(from_word(value(row), depth)) ^ inversion);
    }
    return true;
  });
  if (is_known) return;
  for (size_t i = 0; i < num_rows; ++i) set(i, of_null);
}

/// Adds 1 to those of `counts` that are `wanted`, where a row has the value of the row before.
void count_equal_values(const Column& column, int64_t first_row, int32_t wanted, std::span<int32_t> counts) {
  const bool has_nulls = column.may_have_nulls();
  const auto count = [&](const auto& is_equal) {
    for (size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] != wanted) continue;
      const int64_t row = first_row + static_cast<int64_t>(i);
      if (has_nulls && (column.is_null(row - 1) || column.is_null(row))) {
        counts[i] += column.is_null(row - 1) && column.is_null(row);
      } else {
        counts[i] += is_equal(row - 1, row);
      }
    }
    return true;
  };
  const bool is_flat_type = columns::visit_physical(column.physical(), [&](auto type) {
    const columns::ValueReader<decltype(type)> value(column);
    return count([&](int64_t before, int64_t row) { return compare_values(value(before), value(row)) == 0; });
  });
  if (is_flat_type) return;
  count([&](int64_t before, int64_t row) {
    return !column.type().is_nested() || column_functions::compare_values(column, before, column, row) == 0;
  });
}

}  // namespace

int KeyOrder::compare(Columns lhs, int64_t lhs_row, Columns rhs, int64_t rhs_row, size_t first_key,
                      size_t end_key) const {
  for (size_t key = first_key; key < end_key; ++key) {
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
  if (left.type().is_nested()) {
    const int order = column_functions::compare_values(left, lhs_row, right, rhs_row);
    return described.ascending ? order : -order;
  }
  const PhysicalType physical = left.physical() == right.physical() ? left.physical() : PhysicalType::Int128;
  const int order = columns::visit_physical(physical, [&](auto type) {
    using T = decltype(type);
    return compare_values(columns::ValueReader<T>(left)(lhs_row), columns::ValueReader<T>(right)(rhs_row));
  });
  return described.ascending ? order : -order;
}

void KeyOrder::count_equal(Columns columns, int64_t first_row, std::span<int32_t> counts) const {
  std::ranges::fill(counts, 0);
  // Row 0 has none before it.
  const auto num_skipped = static_cast<int64_t>(first_row == 0);
  if (first_row == 0) counts = counts.subspan(std::min<size_t>(1, counts.size()));
  for (size_t key = 0; key < keys_.size(); ++key) {
    const Column& column = *columns[static_cast<size_t>(keys_[key].column)];
    count_equal_values(column, first_row + num_skipped, static_cast<int32_t>(key), counts);
  }
}

std::vector<uint64_t> key_words(const Column& column, const plan::SortKey& key, size_t depth) {
  std::vector<uint64_t> words(static_cast<size_t>(column.length()));
  for_each_word(
      column, key, depth, words.size(), [](size_t i) { return static_cast<int64_t>(i); },
      [&](size_t i, uint64_t word) { words[i] = word; });
  return words;
}

void set_key_words(const Column& column, const plan::SortKey& key, size_t depth, std::span<KeyedRow> rows) {
  for_each_word(
      column, key, depth, rows.size(), [&](size_t i) { return rows[i].row; },
      [&](size_t i, uint64_t word) { rows[i].word = word; });
}

void write_key_words(const Column& column, const plan::SortKey& key, std::span<const int32_t> rows, uint64_t* words) {
  for_each_word(
      column, key, 0, rows.size(), [&](size_t i) { return rows[i]; },
      [&](size_t i, uint64_t word) { words[i] = word; });
}

SameWord same_word(const types::DataType& type, const plan::SortKey& key, uint64_t word) {
  if (word == 0 || word == std::numeric_limits<uint64_t>::max()) return SameWord::Unknown;
  if (type.physical() != PhysicalType::String) return SameWord::Equal;
  const uint64_t num_bytes = (key.ascending ? word : ~word) & 0xff;
  return num_bytes == kMoreBytes ? SameWord::GoOn : SameWord::Equal;
}

}  // namespace accelerant::operators
