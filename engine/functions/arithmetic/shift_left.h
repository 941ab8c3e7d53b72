#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct ShiftLeft {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ShiftLeft",
      .sql = "shiftleft(expr, bits)",
      .text = "Returns the integer shifted to the left; the distance counts modulo its width.",
  };
  using Signatures = SignatureList<Signature<types::IntType, types::IntType, types::IntType>,
                                   Signature<types::LongType, types::LongType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"3 int", "2 int"}, "12 int"},           {{"null int", "2 int"}, "null int"},
      {{"1 int", "31 int"}, "-2147483648 int"}, {{"1 int", "33 int"}, "2 int"},
      {{"1 int", "-1 int"}, "-2147483648 int"}, {{"1 bigint", "63 int"}, "-9223372036854775808 bigint"},
      {{"1 bigint", "65 int"}, "2 bigint"},
  };

  template <Integer T>
  ACC_HD static T call(T value, int32 bits) {
    const int32 distance = bits & (static_cast<int32>(sizeof(T)) * 8 - 1);
    return static_cast<T>(static_cast<Unsigned<T>>(value) << distance);
  }
};

}  // namespace accelerant::functions
