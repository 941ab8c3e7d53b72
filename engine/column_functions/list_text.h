#pragma once

#include "column_functions/built_texts.h"
#include "column_functions/joined_texts.h"
#include "column_functions/row_nulls.h"

#include <cstdint>
#include <vector>

namespace accelerant::column_functions {

/// What an array is among the arguments of concat_ws.
struct ListText {
  static constexpr functions::Description kDescription = {
      .spark_class = "io.accelerant.ListText",
      .sql = "(an array in concat_ws)",
      .text = "Joins the strings of an array that are not null; null where there is none.",
  };
  static constexpr const char* kSignatures[] = {"array<string>, string -> string"};
  static constexpr functions::Example kExamples[] = {
      {{"[a,null,b] array<string>", ", string"}, "a,b string"},
      {{"[null] array<string>", ", string"}, "null string"},
      {{"[] array<string>", ", string"}, "null string"},
      {{"[a string of,more than twelve bytes] array<string>", "- string"}, "a string of-more than twelve bytes string"},
      {{"[a] array<string>", "null string"}, "null string"},
      {{"null array<string>", ", string"}, "null string"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    const JoinedTexts texts(call.argument(0), call.argument(1));
    std::vector<int64_t> empty;
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (call.counts(row) && texts.is_empty(row)) empty.push_back(row);
    }
    const columns::ColumnPtr joined = build_texts(call, [&](int64_t row, auto show) { texts.visit(row, show); });
    return with_nulls(joined, empty, call.budget());
  }
};

}  // namespace accelerant::column_functions
