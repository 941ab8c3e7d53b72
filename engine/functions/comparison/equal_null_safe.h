#pragma once

#include "functions/comparison/order.h"
#include "functions/comparison/types.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct EqualNullSafe {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.EqualNullSafe",
      .sql = "expr1 <=> expr2",
      .text = "Returns whether two values are equal or both null; never null.",
  };
  using Signatures = Comparisons;
  static constexpr Example kExamples[] = {
      {{"1 int", "1 int"}, "true boolean"},
      {{"1 int", "null int"}, "false boolean"},
      {{"null int", "null int"}, "true boolean"},
      {{"nan double", "nan double"}, "true boolean"},
      {{"a string", "null string"}, "false boolean"},
      {{"null string", "null string"}, "true boolean"},
      {{"1.50 decimal(5,2)", "1.50 decimal(38,2)"}, "true boolean"},
  };

  template <class T>
  ACC_HD static bool call_nullable(types::Nullable<T> lhs, types::Nullable<T> rhs) {
    return (lhs.valid & rhs.valid & equals(lhs.value, rhs.value)) | (!lhs.valid & !rhs.valid);
  }
};

}  // namespace accelerant::functions
