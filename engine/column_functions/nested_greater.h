#pragma once

#include "column_functions/compared_rows.h"

namespace accelerant::column_functions {

struct NestedGreater {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.GreaterThan",
      .sql = "expr1 > expr2",
      .text = "Returns whether the first nested value is greater.",
  };
  static constexpr const char* kSignatures[] = {"T, T -> boolean"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,2] array<int>", "[1,3] array<int>"}, "false boolean"},
      {{"[1,null] array<int>", "[1,null] array<int>"}, "false boolean"},
      {{"[1,2,0] array<int>", "[1,2] array<int>"}, "true boolean"},
      {{"[null] array<int>", "[-1] array<int>"}, "false boolean"},
      {{"[-0.0,nan] array<double>", "[0.0,nan] array<double>"}, "false boolean"},
      {{"[nan] array<double>", "[inf] array<double>"}, "true boolean"},
      {{"(1,b) struct<x:int,y:string>", "(1,a) struct<x:int,y:string>"}, "true boolean"},
      {{"([[1],null],a) struct<x:array<array<int>>,y:string>", "([[1],[]],a) struct<x:array<array<int>>,y:string>"},
       "false boolean"},
      {{"[] array<string>", "null array<string>"}, "null boolean"},
  };

  static bool supports(std::span<const types::DataType> arguments, const types::DataType&) {
    return have_nested_order(arguments);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    return compare_rows(call, [](int order) { return order > 0; });
  }
};

}  // namespace accelerant::column_functions
