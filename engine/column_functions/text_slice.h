#pragma once

#include "column_functions/stored_rows.h"
#include "columns/column.h"
#include "types/string_view.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accelerant::column_functions {

/// A stretch of bytes of a text in a column of strings.
struct TextSlice {
  types::StringView whole;  ///< as the column has the text
  types::StringRef text;    ///< its bytes
  size_t begin = 0;
  size_t end = 0;

  /// Returns all of the text at a place of a flat column.
  static TextSlice of(const columns::Column& texts, int64_t place) {
    const types::StringRef text = texts.string_at(place);
    return {texts.values<types::StringView>()[place], text, 0, static_cast<size_t>(text.length)};
  }
  TextSlice from_to(size_t new_begin, size_t new_end) const { return {whole, text, new_begin, new_end}; }

  /// Returns where a part lies first, from a place on; npos: nowhere.
  size_t find(std::string_view part, size_t from) const { return std::string_view(text.data, end).find(part, from); }
  /// Returns its view into the same heap.
  types::StringView view() const {
    const types::StringRef slice{text.data + begin, static_cast<int32_t>(end - begin)};
    if (slice.length <= types::StringView::kMaxInlineBytes) return types::inline_view(slice);
    return types::heap_view(slice, whole.ref.buffer, whole.ref.offset + static_cast<int32_t>(begin));
  }
};

/// Returns the bytes of a row of strings.
inline std::string_view bytes_of(const StoredRows& rows, int64_t row) {
  const types::StringRef text = rows.values().string_at(rows.place(row));
  return {text.data, static_cast<size_t>(text.length)};
}

/// Shows the slices of a text between the places where a part lies, at most so many if the limit is over 0.
template <class Show>
void split_text(const TextSlice& text, std::string_view part, int64_t limit, Show show) {
  size_t begin = text.begin;
  for (int64_t count = 1; count != limit && !part.empty(); ++count) {
    const size_t end = text.find(part, begin);
    if (end == std::string_view::npos) break;
    show(text.from_to(begin, end));
    begin = end + part.size();
  }
  show(text.from_to(begin, text.end));
}

}  // namespace accelerant::column_functions
