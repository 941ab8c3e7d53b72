#pragma once

#include "column_functions/definition.h"

#include <cstdint>

namespace accelerant::column_functions {

/// The second argument is what a cast makes of the first where it is tried.
struct CheckedCast {
  static constexpr functions::Description kDescription = {
      .spark_class = "io.accelerant.CheckedCast",
      .sql = "(a cast to the type of a table's column)",
      .text = "Returns what a cast made of a value; fails where it is null and the value is not.",
  };
  static constexpr const char* kSignatures[] = {"any, T -> T"};
  static constexpr functions::Example kExamples[] = {
      {{"5 int", "5 tinyint"}, "5 tinyint"},
      {{"300 int", "null tinyint"}, "null tinyint", functions::kExternalError},
      {{"null int", "null tinyint"}, "null tinyint"},
      {{"1.5 decimal(4,1)", "2 decimal(2,0)"}, "2 decimal(2,0)"},
  };
  static constexpr bool kSeesNulls = true;
  static constexpr bool can_fail(bool) { return true; }

  static columns::ColumnPtr call(ColumnCall& call) {
    const columns::Column& value = call.argument(0);
    const columns::ColumnPtr& result = call.arguments()[1];
    for (int64_t row = 0; result->may_have_nulls() && row < call.num_rows(); ++row) {
      if (call.counts(row) && result->is_null(row) && !value.is_null(row)) call.fail(row);
    }
    return result;
  }
};

}  // namespace accelerant::column_functions
