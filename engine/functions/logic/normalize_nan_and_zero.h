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

  ACC_HD static float call(float value) { return normalize(value, types::float_of(0x7fc00000)); }
  ACC_HD static double call(double value) { return normalize(value, types::double_of(uint64(0x7ff8) << 48)); }

 private:
  template <class Float>
  ACC_HD static Float normalize(Float value, Float nan) {
    return value != value ? nan : value + 0;  // -0.0 + 0 is 0.0
  }
};

}  // namespace accelerant::functions
