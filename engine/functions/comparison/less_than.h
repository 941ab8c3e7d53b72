#pragma once

#include "functions/comparison/order.h"
#include "functions/comparison/types.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct LessThan {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.LessThan",
      .sql = "expr1 < expr2",
      .text = "Returns whether the first value is less.",
  };
  using Signatures = Comparisons;
  static constexpr Example kExamples[] = {
      {{"1 int", "2 int"}, "true boolean"},
      {{"2 int", "2 int"}, "false boolean"},
      {{"3 int", "2 int"}, "false boolean"},
      {{"null int", "2 int"}, "null boolean"},
      {{"nan double", "nan double"}, "false boolean"},
      {{"nan double", "inf double"}, "false boolean"},
      {{"-0.0 double", "0.0 double"}, "false boolean"},
      {{"-128 tinyint", "127 tinyint"}, "true boolean"},
      {{"true boolean", "false boolean"}, "false boolean"},
      {{"abc string", "abd string"}, "true boolean"},
      {{"a string", "ab string"}, "true boolean"},
      {{"same and longer than twelve string", "same and longer than twelve string"}, "false boolean"},
      {{"1.50 decimal(5,2)", "1.49 decimal(9,2)"}, "false boolean"},
      {{"12345678901234567890.5 decimal(38,1)", "2.5 decimal(38,1)"}, "false boolean"},
      {{"1994-01-01 date", "1995-01-01 date"}, "true boolean"},
  };

  template <class T>
  ACC_HD static bool call(T lhs, T rhs) {
    return less(lhs, rhs);
  }
};

}  // namespace accelerant::functions
