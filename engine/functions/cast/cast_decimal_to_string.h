#pragma once

#include "functions/cast/decimal_text.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastDecimalToString {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Writes decimals, in legacy mode with an exponent where they are below 0.000001.",
  };
  using Signatures = From<types::StringType, types::DecimalType>;
  static constexpr Example kExamples[] = {
      {{"1.50 decimal(5,2)"}, "1.50 string"},
      {{"-0.05 decimal(5,2)"}, "-0.05 string"},
      {{"0 decimal(5,0)"}, "0 string"},
      {{"0.000000 decimal(8,6)"}, "0.000000 string"},
      {{"-12345678901234567890.123456789012345678 decimal(38,18)"}, "-12345678901234567890.123456789012345678 string"},
      {{"null decimal(5,2)"}, "null string"},
  };

  ACC_HD static constexpr bool supports(uint8, const types::DecimalContext&, bool ansi) { return !ansi; }

  ACC_HD static DecimalText call_narrow(int64 value, const types::DecimalContext& context) {
    return scientific_decimal(value, context.left_scale);
  }
  ACC_HD static DecimalText call_wide(int128 value, const types::DecimalContext& context) {
    return scientific_decimal(value, context.left_scale);
  }
};

}  // namespace accelerant::functions
