#pragma once

#include "functions/arithmetic/decimal_division.h"
#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Divide {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Divide",
      .sql = "expr1 / expr2",
      .text = "Returns the quotient of floating-point numbers or decimals; null or an error when the divisor is zero.",
      .right_first = true,
      .fails_only_in_ansi = true,
  };
  using Signatures = BinarySame<types::DoubleType, types::DecimalType>;
  static constexpr Example kExamples[] = {
      {{"3 double", "2 double"}, "1.5 double"},
      {{"1 double", "0 double"}, "null double", kDivideByZero},
      {{"nan double", "-0.0 double"}, "null double", kDivideByZero},
      {{"null double", "0 double"}, "null double"},
      {{"1 decimal(10,0)", "3 decimal(10,0)"}, "0.33333333333 decimal(21,11)"},
      {{"-2 decimal(10,0)", "3 decimal(10,0)"}, "-0.66666666667 decimal(21,11)"},
      {{"1 decimal(10,0)", "0 decimal(10,0)"}, "null decimal(21,11)", kDivideByZero},
      {{"10000000000000000000000000000000000000 decimal(38,0)", "0.00001 decimal(38,5)"},
       "null decimal(38,6)",
       kDecimalOverflow},
      {{"1 decimal(38,0)", "7 decimal(38,0)"}, "0.142857 decimal(38,6)"},
  };

  template <class E>
  ACC_HD static double call(double lhs, double rhs, E& error) {
    error |= rhs == 0 ? static_cast<E>(kDivideByZero) : E{0};
    return lhs / (rhs == 0 ? 1 : rhs);
  }

  ACC_HD static types::DecimalRange range(types::DecimalRange lhs, types::DecimalRange rhs,
                                          const types::DecimalContext& context) {
    const int32 exponent = context.result_scale - context.left_scale + context.right_scale;
    if (exponent < 0) return types::DecimalRange::unknown();
    const types::DecimalRange numerator = lhs.scaled_up(exponent);
    if (!numerator.fits_int64() || !rhs.fits_int64()) return types::DecimalRange::unknown();
    const int128 bound = numerator.max > -numerator.min ? numerator.max : -numerator.min;
    return types::DecimalRange::of(-bound, bound);
  }
  template <class E>
  ACC_HD static int64 call_narrow(int64 lhs, int64 rhs, const types::DecimalContext& context, E& error) {
    error |= rhs == 0 ? static_cast<E>(kDivideByZero) : E{0};
    const int64 numerator = wrapping_multiply(lhs, context.quotient_factor);
    const uint64 left = magnitude_of(numerator);
    const uint64 right = rhs == 0 ? 1 : magnitude_of(rhs);
    uint64 quotient = left / right;
    const uint64 rest = left - quotient * right;
    quotient += rest >= right - rest;
    return (numerator < 0) != (rhs < 0) ? wrapping_negate(static_cast<int64>(quotient)) : static_cast<int64>(quotient);
  }
  template <class E>
  ACC_HD static int128 call_wide(int128 lhs, int128 rhs, const types::DecimalContext& context, E& error) {
    return decimal_quotient(lhs, rhs, context, error);
  }
};

}  // namespace accelerant::functions
