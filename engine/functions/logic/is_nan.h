#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct IsNaN {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.IsNaN",
      .sql = "isnan(expr)",
      .text = "Returns whether a number is NaN; false for null.",
  };
  using Signatures = From<types::BooleanType, types::FloatType, types::DoubleType>;
  static constexpr Example kExamples[] = {
      {{"1 double"}, "false boolean"},
      {{"nan double"}, "true boolean"},
      {{"null double"}, "false boolean"},
      {{"nan float"}, "true boolean"},
  };

  template <class T>
  ACC_HD static bool call_nullable(types::Nullable<T> value) {
    return value.valid & (value.value != value.value);
  }
};

}  // namespace accelerant::functions
