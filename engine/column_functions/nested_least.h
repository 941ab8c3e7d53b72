#pragma once

#include "column_functions/compared_rows.h"

namespace accelerant::column_functions {

struct NestedLeast {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Least",
      .sql = "least(expr1, expr2, ...)",
      .text = "Returns the least nested value that is not null.",
  };
  static constexpr const char* kSignatures[] = {"T, T -> T"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,2] array<int>", "[1,3] array<int>"}, "[1,2] array<int>"},
      {{"[1] array<int>", "[1,null] array<int>"}, "[1] array<int>"},
      {{"[-0.0] array<double>", "[0.0] array<double>"}, "[-0] array<double>"},
      {{"(1,b) struct<x:int,y:string>", "(1,a) struct<x:int,y:string>"}, "(1,a) struct<x:int,y:string>"},
      {{"null array<string>", "[a] array<string>"}, "[a] array<string>"},
      {{"[a] array<string>", "null array<string>"}, "[a] array<string>"},
      {{"null array<string>", "null array<string>"}, "null array<string>"},
  };
  static constexpr bool kSeesNulls = true;

  static bool supports(std::span<const types::DataType> arguments, const types::DataType&) {
    return have_nested_order(arguments);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    return choose_of_two(call, [](int order) { return order > 0; });
  }
};

}  // namespace accelerant::column_functions
