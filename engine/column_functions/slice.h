#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/integers.h"

namespace accelerant::column_functions {

struct Slice {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Slice",
      .sql = "slice(array, start, length)",
      .text = "Returns elements from an index on, from 1 on or from -1 backwards.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, int, int -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,2,3,4] array<int>", "2 int", "2 int"}, "[2,3] array<int>"},
      {{"[1,2,3,4] array<int>", "-2 int", "9 int"}, "[3,4] array<int>"},
      {{"[1,2] array<int>", "-3 int", "2 int"}, "[] array<int>"},
      {{"[1,2] array<int>", "3 int", "1 int"}, "[] array<int>"},
      {{"[a,null] array<string>", "2 int", "1 int"}, "[null] array<string>"},
      {{"[1] array<int>", "0 int", "1 int"}, "null array<int>", functions::kExternalError},
      {{"[1] array<int>", "1 int", "-1 int"}, "null array<int>", functions::kExternalError},
      {{"[1] array<int>", "null int", "1 int"}, "null array<int>"},
  };
  static constexpr bool can_fail(bool) { return true; }

  static columns::ColumnPtr call(ColumnCall& call) {
    const Integers starts(call.argument(1));
    const Integers lengths(call.argument(2));
    return choose_elements(call, [&](const ListRows& lists, int64_t row, ChosenElements& chosen) {
      const int64_t start = starts.at(row);
      const int64_t length = lengths.at(row);
      if (start == 0 || length < 0) return call.fail(row);
      const int64_t size = lists.size(row);
      const int64_t first = start > 0 ? start - 1 : size + start;
      if (first < 0 || first >= size) return;
      chosen.add_all(lists.first(row) + first, lists.first(row) + std::min(first + length, size));
    });
  }
};

}  // namespace accelerant::column_functions
