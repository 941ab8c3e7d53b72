#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"
#include "types/text.h"

namespace accelerant::functions {

struct CastNumberToString {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Writes integers and booleans.",
  };
  using Signatures =
      From<types::StringType, types::BooleanType, types::ByteType, types::ShortType, types::IntType, types::LongType>;
  static constexpr Example kExamples[] = {
      {{"true boolean"}, "true string"},
      {{"false boolean"}, "false string"},
      {{"0 int"}, "0 string"},
      {{"-128 tinyint"}, "-128 string"},
      {{"32767 smallint"}, "32767 string"},
      {{"-2147483648 int"}, "-2147483648 string"},
      {{"9223372036854775807 bigint"}, "9223372036854775807 string"},
      {{"-9223372036854775808 bigint"}, "-9223372036854775808 string"},
      {{"null int"}, "null string"},
  };

  ACC_HD static types::Text<5> call(bool value) {
    types::Text<5> text;
    if (value) {
      text.add("true");
    } else {
      text.add("false");
    }
    return text;
  }
  /// Up to ten digits and a sign, or nineteen for 64 bits.
  template <Integer From>
  ACC_HD static auto call(From value) {
    types::Text<sizeof(From) == 8 ? 20 : 11> text;
    if (value < 0) text.add('-');
    text.add_digits(magnitude_of(static_cast<int64>(value)));
    return text;
  }
};

}  // namespace accelerant::functions
