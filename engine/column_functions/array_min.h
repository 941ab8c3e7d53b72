#pragma once

#include "column_functions/extreme_element.h"

namespace accelerant::column_functions {

struct ArrayMin {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayMin",
      .sql = "array_min(array)",
      .text = "Returns the least element; null where there is none.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> T"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null,3,2] array<int>"}, "1 int"},
      {{"[null] array<int>"}, "null int"},
      {{"[1,nan] array<double>"}, "1 double"},
      {{"[] array<string>"}, "null string"},
      {{"[[1,2],[1]] array<array<int>>"}, "[1] array<int>"},
      {{"null array<int>"}, "null int"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    return extreme_elements(call, [](int order) { return order < 0; });
  }
};

}  // namespace accelerant::column_functions
