#pragma once

#include "functions/arithmetic/decimal_negation.h"
#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Abs {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Abs",
      .sql = "abs(expr)",
      .text = "Returns the absolute value; the smallest integer stays negative in legacy mode.",
  };
  using Signatures = UnarySame<types::ByteType, types::ShortType, types::IntType, types::LongType, types::FloatType,
                               types::DoubleType, types::DecimalType>;
  static constexpr Example kExamples[] = {
      {{"-5 int"}, "5 int"},
      {{"null int"}, "null int"},
      {{"-128 tinyint"}, "-128 tinyint", kOverflow},
      {{"-32768 smallint"}, "-32768 smallint", kOverflow},
      {{"-2147483648 int"}, "-2147483648 int", kOverflow},
      {{"-9223372036854775808 bigint"}, "-9223372036854775808 bigint", kOverflow},
      {{"-0.0 double"}, "0 double"},
      {{"-1.5 float"}, "1.5 float"},
      {{"nan double"}, "nan double"},
      {{"-1.50 decimal(3,2)"}, "1.50 decimal(3,2)"},
      {{"-1234567890123456789012345678901234 decimal(38,0)"}, "1234567890123456789012345678901234 decimal(38,0)"},
      {{"-12345678901234567890123456789012345678 decimal(38,0)"},
       "12345678901234567890123456789012350000 decimal(38,0)"},
      {{"-99999999999999999999999999999999999999 decimal(38,0)"}, "null decimal(38,0)", kOutOfRange},
  };

  template <Integer T, class E>
  ACC_HD static T call(T value, E& error) {
    const T result = value < 0 ? wrapping_negate(value) : value;
    error |= sign_bit(result);
    return result;
  }
  ACC_HD static float call(float value) { return value <= 0 ? 0 - value : value; }
  ACC_HD static double call(double value) { return value <= 0 ? 0 - value : value; }

  ACC_HD static types::DecimalRange range(types::DecimalRange value, const types::DecimalContext&) {
    if (!value.fits_int64()) return types::DecimalRange::unknown();
    const int128 bound = value.max > -value.min ? value.max : -value.min;
    return types::DecimalRange::of(0, bound < 0 ? 0 : bound);
  }
  ACC_HD static int64 call_narrow(int64 value, const types::DecimalContext&) {
    return value < 0 ? wrapping_negate(value) : value;
  }
  template <class E>
  ACC_HD static int128 call_wide(int128 value, const types::DecimalContext& context, E& error) {
    return value < 0 ? negate_decimal(value, context, error) : value;
  }
};

}  // namespace accelerant::functions
