#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct Signum {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Signum",
      .sql = "signum(expr)",
      .text = "Returns -1, 0 or 1 as a number is below, at or above 0.",
  };
  using Signatures = UnarySame<types::DoubleType>;
  static constexpr Example kExamples[] = {
      {{"-2.5 double"}, "-1 double"}, {{"0.0 double"}, "0 double"},   {{"-0.0 double"}, "-0 double"},
      {{"1e300 double"}, "1 double"}, {{"nan double"}, "nan double"}, {{"null double"}, "null double"},
  };

  ACC_HD static double call(double value) { return value > 0 ? 1 : value < 0 ? -1 : value; }
};

}  // namespace accelerant::functions
