#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"
#include "types/string_view.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace accelerant::column_functions {

/// The texts that each row is joined of: those of an array, with a delimiter between them.
class JoinedTexts {
 public:
  /// @param replacement stands for nulls; nullopt: they are left out
  JoinedTexts(const columns::Column& array, const columns::Column& delimiter,
              std::optional<StoredRows> replacement = std::nullopt)
      : lists_(array), elements_(lists_.elements()), delimiters_(delimiter), replacements_(std::move(replacement)) {}

  /// Says whether nothing is joined in a row.
  bool is_empty(int64_t row) const {
    bool is_empty = true;
    visit(row, [&](types::StringRef) { is_empty = false; });
    return is_empty;
  }
  /// Shows each piece of a row's text.
  template <class Visit>
  void visit(int64_t row, Visit visit) const {
    bool is_first = true;
    const int64_t end = int64_t{lists_.first(row)} + lists_.size(row);
    for (int64_t element = lists_.first(row); element < end; ++element) {
      const bool is_null = elements_.is_null(element);
      if (is_null && !replacements_) continue;
      if (!is_first) visit(text_of(delimiters_, row));
      visit(is_null ? text_of(*replacements_, row) : text_of(elements_, element));
      is_first = false;
    }
  }

 private:
  static types::StringRef text_of(const StoredRows& rows, int64_t row) {
    return rows.values().string_at(rows.place(row));
  }

  const ListRows lists_;
  const StoredRows elements_;
  const StoredRows delimiters_;
  const std::optional<StoredRows> replacements_;
};

}  // namespace accelerant::column_functions
