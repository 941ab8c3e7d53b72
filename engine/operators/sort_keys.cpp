#include "operators/sort_keys.h"

#include "column_functions/value_order.h"
#include "columns/value_reader.h"
#include "operators/key_words.h"
#include "types/integers.h"

#include <algorithm>
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
      [&](size_t i, uint64_t word, bool) { words[i] = word; });
  return words;
}

void set_key_words(const Column& column, const plan::SortKey& key, size_t depth, std::span<KeyedRow> rows) {
  for_each_word(
      column, key, depth, rows.size(), [&](size_t i) { return rows[i].row; },
      [&](size_t i, uint64_t word, bool) { rows[i].word = word; });
}

void write_key_words(const Column& column, const plan::SortKey& key, std::span<const int32_t> rows, uint64_t* words) {
  for_each_word(
      column, key, 0, rows.size(), [&](size_t i) { return rows[i]; },
      [&](size_t i, uint64_t word, bool) { words[i] = word; });
}

void write_key_words(const Column& column, const plan::SortKey& key, uint64_t* words) {
  for_each_word(
      column, key, 0, static_cast<size_t>(column.length()), [](size_t i) { return static_cast<int64_t>(i); },
      [&](size_t i, uint64_t word, bool) { words[i] = word; });
}

SameWord same_word(const types::DataType& type, const plan::SortKey& key, uint64_t word) {
  if (word == 0 || word == std::numeric_limits<uint64_t>::max()) return SameWord::Unknown;
  if (type.physical() != PhysicalType::String) return SameWord::Equal;
  const uint64_t num_bytes = (key.ascending ? word : ~word) & 0xff;
  return num_bytes == kMoreBytesInWord ? SameWord::GoOn : SameWord::Equal;
}

}  // namespace accelerant::operators
