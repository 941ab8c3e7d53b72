#pragma once

#include "column_functions/compared_rows.h"

namespace accelerant::column_functions {

struct NestedEqualOrNull {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.EqualNullSafe",
      .sql = "expr1 <=> expr2",
      .text = "Returns whether two nested values are equal or both null; never null.",
  };
  static constexpr const char* kSignatures[] = {"T, T -> boolean"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,2] array<int>", "[1,3] array<int>"}, "false boolean"},
      {{"[1,null] array<int>", "[1,null] array<int>"}, "true boolean"},
      {{"[-0.0,nan] array<double>", "[0.0,nan] array<double>"}, "true boolean"},
      {{"(1,[a]) struct<x:int,y:array<string>>", "(1,[a]) struct<x:int,y:array<string>>"}, "true boolean"},
      {{"(1,[a]) struct<x:int,y:array<string>>", "(1,null) struct<x:int,y:array<string>>"}, "false boolean"},
      {{"[] array<string>", "null array<string>"}, "false boolean"},
      {{"null array<string>", "null array<string>"}, "true boolean"},
  };
  static constexpr bool kSeesNulls = true;

  static bool supports(std::span<const types::DataType> arguments, const types::DataType&) {
    return have_nested_order(arguments);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const columns::Column& left = call.argument(0);
    const columns::Column& right = call.argument(1);
    columns::FlatBuilder builder(call.type(), types::PhysicalType::Bool, call.num_rows(), call.budget());
    with_equality(left, right, [&](auto equal) {
      for (int64_t row = 0; row < call.num_rows(); ++row) {
        const bool is_null = left.is_null(row);
        const bool both_or_none = is_null == right.is_null(row);
        builder.values<uint8_t>()[row] = call.counts(row) && both_or_none && (is_null || equal(row, row));
      }
    });
    return builder.finish();
  }
};

}  // namespace accelerant::column_functions
