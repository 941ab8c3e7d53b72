#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"
#include "types/string_view.h"

#include <cstdint>
#include <optional>

namespace accelerant::column_functions {

/// The texts that each row of a call is joined of: those of an array, the first argument, with a delimiter, the second,
/// between them; a third argument stands for nulls, which are left out else.
class JoinedTexts {
 public:
  explicit JoinedTexts(const ColumnCall& call)
      : lists_(call.argument(0)), elements_(lists_.elements()), delimiters_(call.argument(1)) {
    if (call.arguments().size() > 2) replacements_.emplace(call.argument(2));
  }

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
  std::optional<StoredRows> replacements_;
};

}  // namespace accelerant::column_functions
