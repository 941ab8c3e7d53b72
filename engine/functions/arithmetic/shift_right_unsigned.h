#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct ShiftRightUnsigned {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ShiftRightUnsigned",
      .sql = "expr >>> n",
      .text = "Moves bits right, zeros following; the count is taken modulo the width.",
  };
  using Signatures = SignatureList<Signature<types::IntType, types::IntType, types::IntType>,
                                   Signature<types::LongType, types::LongType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"-12 int", "2 int"}, "1073741821 int"},
      {{"4 int", "33 int"}, "2 int"},
      {{"-1 bigint", "63 int"}, "1 bigint"},
      {{"null int", "1 int"}, "null int"},
  };

  template <Integer T>
  ACC_HD static T call(T value, int32 count) {
    return static_cast<T>(static_cast<Unsigned<T>>(value) >> (count & (8 * static_cast<int32>(sizeof(T)) - 1)));
  }
};

}  // namespace accelerant::functions
