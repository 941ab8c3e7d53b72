#pragma once

#include "functions/definition.h"
#include "types/floating.h"

namespace accelerant::functions {

struct NormalizeNaNAndZero {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero",
      .sql = "(put by Spark around floating-point keys)",
      .text = "Returns the number with one representation of NaN and one of zero, so that equal keys have equal bits.",
  };
  using Signatures = UnarySame<types::FloatType, types::DoubleType>;
  static constexpr Example kExamples[] = {
      {{"-0.0 double"}, "0 double"},    {{"nan double"}, "nan double"}, {{"-1.5 double"}, "-1.5 double"},
      {{"null double"}, "null double"}, {{"-0.0 float"}, "0 float"},    {{"-inf float"}, "-inf float"},
  };

  ACC_HD static float call(float value) { return types::normalize_nan_and_zero(value); }
  ACC_HD static double call(double value) { return types::normalize_nan_and_zero(value); }
};

}  // namespace accelerant::functions
