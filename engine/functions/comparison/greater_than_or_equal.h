#pragma once

#include "functions/comparison/order.h"
#include "functions/comparison/types.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct GreaterThanOrEqual {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual",
      .sql = "expr1 >= expr2",
      .text = "Returns whether the first value is greater or equal.",
  };
  using Signatures = Comparisons;
  static constexpr Example kExamples[] = {
      {{"1 int", "2 int"}, "false boolean"},
      {{"2 int", "2 int"}, "true boolean"},
      {{"3 int", "2 int"}, "true boolean"},
      {{"null int", "2 int"}, "null boolean"},
      {{"nan double", "nan double"}, "true boolean"},
      {{"nan double", "inf double"}, "true boolean"},
      {{"-0.0 double", "0.0 double"}, "true boolean"},
      {{"-128 tinyint", "127 tinyint"}, "false boolean"},
      {{"true boolean", "false boolean"}, "true boolean"},
      {{"abc string", "abd string"}, "false boolean"},
      {{"a string", "ab string"}, "false boolean"},
      {{"same and longer than twelve string", "same and longer than twelve string"}, "true boolean"},
      {{"1.50 decimal(5,2)", "1.49 decimal(9,2)"}, "true boolean"},
      {{"12345678901234567890.5 decimal(38,1)", "2.5 decimal(38,1)"}, "true boolean"},
      {{"1994-01-01 date", "1995-01-01 date"}, "false boolean"},
  };

  template <class T>
  ACC_HD static bool call(T lhs, T rhs) {
    return !less(lhs, rhs);
  }
};

}  // namespace accelerant::functions
