#pragma once

#include "columns/column.h"
#include "columns/value_reader.h"
#include "plan/sort.h"
#include "types/integers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

/// How values become words that order them: what key_words() emits, for those who read the values themselves.
namespace accelerant::operators {

inline constexpr uint64_t kSignOfWord = uint64_t{1} << 63;

template <std::integral Integer>
uint64_t word_of(Integer value) {
  return static_cast<uint64_t>(static_cast<int64_t>(value)) ^ kSignOfWord;
}

inline uint64_t word_of(double value) {
  if (value == 0) value = 0;
  if (std::isnan(value)) return ~uint64_t{0};
  const auto bits = std::bit_cast<uint64_t>(value);
  return (bits & kSignOfWord) != 0 ? ~bits : bits | kSignOfWord;
}

/// Bytes of a text in a word. Its last byte is the number of those that are left, or more than there is room for.
inline constexpr size_t kTextBytesOfWord = 7;
inline constexpr uint64_t kMoreBytesInWord = kTextBytesOfWord + 1;

inline uint64_t word_of(std::string_view text) {
  uint64_t word = 0;
  std::memcpy(&word, text.data(), std::min(text.size(), kTextBytesOfWord));
  return (__builtin_bswap64(word) | std::min<uint64_t>(text.size(), kMoreBytesInWord));
}

inline uint64_t word_of(int128 value) {
  using Limits = std::numeric_limits<int64_t>;
  return static_cast<uint64_t>(std::clamp<int128>(value, Limits::min(), Limits::max())) ^ kSignOfWord;
}

/// Leaves of a text what the `depth`th word begins with; other values have one word.
template <class T>
T from_word(T value, size_t depth) {
  if constexpr (std::is_same_v<T, std::string_view>)
    return value.substr(std::min(depth * kTextBytesOfWord, value.size()));
  return value;
}

/// Calls `set` with each i below `num_rows`, the word of row `row_of(i)`, and whether that row has no value.
template <class RowOf, class Set>
void for_each_word(const columns::Column& column, const plan::SortKey& key, size_t depth, size_t num_rows, RowOf row_of,
                   Set set) {
  const uint64_t of_null = key.nulls_first ? 0 : ~uint64_t{0};
  const uint64_t inversion = key.ascending ? 0 : ~uint64_t{0};
  const bool has_nulls = column.may_have_nulls();
  const bool is_known = columns::visit_physical(column.physical(), [&](auto type) {
    const columns::ValueReader<decltype(type)> value(column);
    for (size_t i = 0; i < num_rows; ++i) {
      const int64_t row = row_of(i);
      const bool is_null = has_nulls && column.is_null(row);
      set(i, is_null ? of_null : word_of(from_word(value(row), depth)) ^ inversion, is_null);
    }
    return true;
  });
  if (is_known) return;
  for (size_t i = 0; i < num_rows; ++i) set(i, of_null, true);
}

}  // namespace accelerant::operators
