#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct BitwiseNot {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BitwiseNot",
      .sql = "~expr",
      .text = "Returns the integer with every bit turned over.",
  };
  using Signatures = UnarySame<types::ByteType, types::ShortType, types::IntType, types::LongType>;
  static constexpr Example kExamples[] = {
      {{"0 int"}, "-1 int"},
      {{"null int"}, "null int"},
      {{"-128 tinyint"}, "127 tinyint"},
      {{"32767 smallint"}, "-32768 smallint"},
      {{"5 int"}, "-6 int"},
      {{"-9223372036854775808 bigint"}, "9223372036854775807 bigint"},
  };

  template <Integer T>
  ACC_HD static T call(T value) {
    return static_cast<T>(~value);
  }
};

}  // namespace accelerant::functions
