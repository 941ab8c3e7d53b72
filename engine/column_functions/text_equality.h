#pragma once

#include "columns/column.h"
#include "types/string_view.h"

#include <cstdint>
#include <cstring>

namespace accelerant::column_functions {

/// Says whether strings of two flat columns are equal, by their views as far as these tell: most differ in length or in
/// their first bytes, and those of up to twelve bytes are all in their views. Refers to both columns.
class TextEquality {
 public:
  TextEquality(const columns::Column& a, const columns::Column& b)
      : lefts_(a.values<types::StringView>()),
        rights_(b.values<types::StringView>()),
        left_heap_(a.heap_addresses()),
        right_heap_(b.heap_addresses()) {}

  bool operator()(int64_t i, int64_t j) const {
    const types::StringView& left = lefts_[i];
    const types::StringView& right = rights_[j];
    if (half(left, 0) != half(right, 0)) return false;
    if (left.is_inline()) return half(left, 1) == half(right, 1);
    const char* left_bytes = types::resolve(left, left_heap_).data;
    const char* right_bytes = types::resolve(right, right_heap_).data;
    return std::memcmp(left_bytes, right_bytes, static_cast<size_t>(left.length)) == 0;
  }

 private:
  /// Returns a half of a view: the length with the first four bytes, or what is behind these.
  static uint64_t half(const types::StringView& view, int number) {
    uint64_t bytes;
    std::memcpy(&bytes, reinterpret_cast<const char*>(&view) + 8 * number, sizeof bytes);
    return bytes;
  }

  const types::StringView* const lefts_;
  const types::StringView* const rights_;
  const char* const* const left_heap_;
  const char* const* const right_heap_;
};

}  // namespace accelerant::column_functions
