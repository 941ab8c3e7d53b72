#pragma once

#include "column_functions/integers.h"
#include "column_functions/stored_rows.h"
#include "column_functions/taken_rows.h"

namespace accelerant::column_functions {

struct GetArrayItem {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.GetArrayItem",
      .sql = "array[index]",
      .text = "Returns the element at an index, from 0 on.",
      .fails_only_in_ansi = true,
  };
  static constexpr const char* kSignatures[] = {"array<T>, tinyint -> T", "array<T>, smallint -> T",
                                                "array<T>, int -> T", "array<T>, bigint -> T"};
  static constexpr functions::Example kExamples[] = {
      {{"[7,8,null] array<int>", "1 int"}, "8 int"},
      {{"[7,8,null] array<int>", "2 bigint"}, "null int"},
      {{"[7,8] array<int>", "4294967296 bigint"}, "7 int"},
      {{"null array<int>", "0 int"}, "null int"},
  };
  static constexpr bool can_fail(bool ansi) { return ansi; }

  /// Spark takes the lower 32 bits of an index.
  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    const Integers indices(call.argument(1));
    return take_elements(call, lists.elements(), [&](int64_t row) {
      const auto index = static_cast<int32_t>(indices.at(row));
      if (index >= 0 && index < lists.size(row)) return lists.first(row) + index;
      if (call.is_ansi()) call.fail(row);
      return -1;
    });
  }
};

}  // namespace accelerant::column_functions
