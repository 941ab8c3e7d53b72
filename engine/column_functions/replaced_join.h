#pragma once

#include "column_functions/built_texts.h"
#include "column_functions/joined_texts.h"

namespace accelerant::column_functions {

/// array_join with a replacement, whose arguments Spark evaluates in the order replacement, array, delimiter.
struct ReplacedJoin {
  static constexpr functions::Description kDescription = {
      .spark_class = "io.accelerant.ReplacedJoin",
      .sql = "(array_join with a replacement)",
      .text = "Joins the strings of an array by a delimiter, where another one stands for nulls.",
      .right_first = true,
  };
  static constexpr const char* kSignatures[] = {"string, array<string>, string -> string"};
  static constexpr functions::Example kExamples[] = {
      {{"-- string", "[null,a,null] array<string>", "x string"}, "x--a--x string"},
      {{", string", "[a string,of more than,twelve bytes] array<string>", "x string"},
       "a string,of more than,twelve bytes string"},
      {{", string", "[] array<string>", "x string"}, " string"},
      {{", string", "[a] array<string>", "null string"}, "null string"},
      {{"null string", "[a] array<string>", "x string"}, "null string"},
      {{", string", "null array<string>", "x string"}, "null string"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    const JoinedTexts texts(call.argument(1), call.argument(0), StoredRows(call.argument(2)));
    return build_texts(call, [&](int64_t row, auto show) { texts.visit(row, show); });
  }
};

}  // namespace accelerant::column_functions
