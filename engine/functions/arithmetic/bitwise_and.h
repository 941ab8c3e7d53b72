#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct BitwiseAnd {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BitwiseAnd",
      .sql = "expr1 & expr2",
      .text = "Returns the integer of the bits that both have.",
  };
  using Signatures = BinarySame<types::ByteType, types::ShortType, types::IntType, types::LongType>;
  static constexpr Example kExamples[] = {
      {{"6 int", "3 int"}, "2 int"},
      {{"null int", "3 int"}, "null int"},
      {{"-1 tinyint", "127 tinyint"}, "127 tinyint"},
      {{"-256 smallint", "511 smallint"}, "256 smallint"},
      {{"-1 bigint", "-9223372036854775808 bigint"}, "-9223372036854775808 bigint"},
  };

  template <Integer T>
  ACC_HD static T call(T lhs, T rhs) {
    return static_cast<T>(lhs & rhs);
  }
};

}  // namespace accelerant::functions
