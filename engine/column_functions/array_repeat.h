#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/integers.h"
#include "column_functions/row_nulls.h"
#include "types/string_view.h"

#include <algorithm>
#include <vector>

namespace accelerant::column_functions {

struct ArrayRepeat {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayRepeat",
      .sql = "array_repeat(value, count)",
      .text = "Returns an array of so many times a value.",
  };
  static constexpr const char* kSignatures[] = {"T, int -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"a string", "3 int"}, "[a,a,a] array<string>"},
      {{"null int", "2 int"}, "[null,null] array<int>"},
      {{"1 int", "0 int"}, "[] array<int>"},
      {{"1 int", "-1 int"}, "[] array<int>"},
      {{"1 int", "null int"}, "null array<int>"},
      {{"[1] array<int>", "2 int"}, "[[1],[1]] array<array<int>>"},
      {{"1 int", "2147483633 int"}, "null array<int>", functions::kNeedsSpark},
  };
  static constexpr bool kSeesNulls = true;
  static constexpr bool can_fail(bool) { return true; }

  static columns::ColumnPtr call(ColumnCall& call) {
    const StoredRows rows(call.argument(1));
    const Integers counts(call.argument(1));
    ChosenElements chosen(call);
    std::vector<int64_t> nulls;
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (!call.counts(row)) {
      } else if (rows.is_null(row)) {
        nulls.push_back(row);
      } else if (counts.at(row) > types::kMaxStringBytes) {
        call.leave_to_spark(row);
      } else {
        chosen.add_times(row, std::max<int64_t>(counts.at(row), 0));
      }
      chosen.end_row();
    }
    return with_nulls(chosen.finish(call.argument(0)), nulls, call.budget());
  }
};

}  // namespace accelerant::column_functions
