#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct BitwiseXor {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BitwiseXor",
      .sql = "expr1 ^ expr2",
      .text = "Returns the integer of the bits that only one has.",
  };
  using Signatures = BinarySame<types::ByteType, types::ShortType, types::IntType, types::LongType>;
  static constexpr Example kExamples[] = {
      {{"6 int", "3 int"}, "5 int"},
      {{"null int", "null int"}, "null int"},
      {{"-1 tinyint", "127 tinyint"}, "-128 tinyint"},
      {{"511 smallint", "255 smallint"}, "256 smallint"},
      {{"-1 bigint", "-1 bigint"}, "0 bigint"},
  };

  template <Integer T>
  ACC_HD static T call(T lhs, T rhs) {
    return static_cast<T>(lhs ^ rhs);
  }
};

}  // namespace accelerant::functions
