#pragma once

#include "functions/definition.h"

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

  ACC_HD static float call(float value) { return normalize(value, uint32(0x7fc00000)); }
  ACC_HD static double call(double value) { return normalize(value, uint64(0x7ff8) << 48); }

 private:
  template <class Float, class Bits>
  ACC_HD static Float normalize(Float value, Bits nan_bits) {
    static_assert(sizeof(Float) == sizeof(Bits));
    Float nan;
    __builtin_memcpy(&nan, &nan_bits, sizeof nan);
    return value != value ? nan : value + 0;  // -0.0 + 0 is 0.0
  }
};

}  // namespace accelerant::functions
