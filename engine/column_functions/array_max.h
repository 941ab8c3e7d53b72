#pragma once

#include "column_functions/extreme_element.h"

namespace accelerant::column_functions {

struct ArrayMax {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayMax",
      .sql = "array_max(array)",
      .text = "Returns the greatest element; null where there is none.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> T"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null,3,2] array<int>"}, "3 int"},
      {{"[null] array<int>"}, "null int"},
      {{"[1,nan] array<double>"}, "nan double"},
      {{"[] array<string>"}, "null string"},
      {{"[[1,2],[1]] array<array<int>>"}, "[1,2] array<int>"},
      {{"null array<int>"}, "null int"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    return extreme_elements(call, [](int order) { return order > 0; });
  }
};

}  // namespace accelerant::column_functions
