#pragma once

#include "column_functions/built_texts.h"
#include "column_functions/stored_rows.h"
#include "types/string_view.h"

#include <cstdint>
#include <optional>

namespace accelerant::column_functions {

struct ArrayJoin {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayJoin",
      .sql = "array_join(array, delimiter, replacement)",
      .text = "Joins strings by a delimiter; nulls are left out where nothing is to stand for them.",
  };
  static constexpr const char* kSignatures[] = {"array<string>, string -> string",
                                                "array<string>, string, string -> string"};
  static constexpr functions::Example kExamples[] = {
      {{"[a,null,b] array<string>", ", string"}, "a,b string"},
      {{"[null,a,null] array<string>", "-- string", "x string"}, "x--a--x string"},
      {{"[a string,of more than,twelve bytes] array<string>", "/ string"}, "a string/of more than/twelve bytes string"},
      {{"[] array<string>", ", string"}, " string"},
      {{"[null] array<string>", ", string"}, " string"},
      {{"[a] array<string>", "null string"}, "null string"},
      {{"[a] array<string>", ", string", "null string"}, "null string"},
  };

  template <class Call>
  static auto bind(Call& call) {
    const auto array = call.argument("array");
    const auto delimiter = call.argument("delimiter");
    const auto replacement = call.argument_if("nullReplacement");
    call.finish();
    return replacement ? call.call({array, delimiter, *replacement}) : call.call({array, delimiter});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const Texts texts(call);
    return build_texts(call, [&](int64_t row, auto show) { texts.visit(row, show); });
  }

 private:
  /// The texts that a row is joined of.
  class Texts {
   public:
    explicit Texts(const ColumnCall& call)
        : lists_(call.argument(0)), elements_(lists_.elements()), delimiters_(call.argument(1)) {
      if (call.arguments().size() > 2) replacements_.emplace(call.argument(2));
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
};

}  // namespace accelerant::column_functions
