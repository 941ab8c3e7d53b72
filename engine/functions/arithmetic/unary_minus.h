#pragma once

#include "functions/arithmetic/decimal_negation.h"
#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct UnaryMinus {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.UnaryMinus",
      .sql = "- expr",
      .text = "Returns the negated value; the smallest integer wraps around in legacy mode.",
  };
  using Signatures = UnarySame<types::ByteType, types::ShortType, types::IntType, types::LongType, types::FloatType,
                               types::DoubleType, types::DecimalType>;
  static constexpr Example kExamples[] = {
      {{"5 int"}, "-5 int"},
      {{"null int"}, "null int"},
      {{"-128 tinyint"}, "-128 tinyint", kOverflow},
      {{"-32768 smallint"}, "-32768 smallint", kOverflow},
      {{"-2147483648 int"}, "-2147483648 int", kOverflow},
      {{"-9223372036854775808 bigint"}, "-9223372036854775808 bigint", kOverflow},
      {{"0 double"}, "-0 double"},
      {{"1.5 float"}, "-1.5 float"},
      {{"-1.50 decimal(3,2)"}, "1.50 decimal(3,2)"},
      {{"1234567890123456789012345678901234 decimal(38,0)"}, "-1234567890123456789012345678901234 decimal(38,0)"},
      {{"12345678901234567890123456789012345678 decimal(38,0)"},
       "-12345678901234567890123456789012350000 decimal(38,0)"},
      {{"99999999999999999999999999999999999999 decimal(38,0)"}, "null decimal(38,0)", kOutOfRange},
  };

  template <Integer T, class E>
  ACC_HD static T call(T value, E& error) {
    const T negated = wrapping_negate(value);
    error |= sign_bit(static_cast<T>(value & negated));  // only the smallest value stays negative
    return negated;
  }
  ACC_HD static float call(float value) { return -value; }
  ACC_HD static double call(double value) { return -value; }

  ACC_HD static types::DecimalRange range(types::DecimalRange value, const types::DecimalContext&) {
    return value.negated();
  }
  ACC_HD static int64 call_narrow(int64 value, const types::DecimalContext&) { return wrapping_negate(value); }
  template <class E>
  ACC_HD static int128 call_wide(int128 value, const types::DecimalContext& context, E& error) {
    return negate_decimal(value, context, error);
  }
};

}  // namespace accelerant::functions
