#pragma once

#include "functions/arithmetic/decimal_division.h"
#include "functions/arithmetic/integer.h"
#include "functions/definition.h"
#include "types/floating.h"

namespace accelerant::functions {

struct Remainder {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Remainder",
      .sql = "expr1 % expr2",
      .text =
          "Returns what is left after a division that rounds towards zero; null or an error when the divisor is zero.",
      .right_first = true,
      .fails_only_in_ansi = true,
  };
  using Signatures = BinarySame<types::ByteType, types::ShortType, types::IntType, types::LongType, types::FloatType,
                                types::DoubleType, types::DecimalType>;
  static constexpr Example kExamples[] = {
      {{"7 int", "-2 int"}, "1 int"},
      {{"-7 int", "2 int"}, "-1 int"},
      {{"7 int", "0 int"}, "null int", kDivideByZero},
      {{"null int", "0 int"}, "null int"},
      {{"-2147483648 int", "-1 int"}, "0 int"},
      {{"-128 tinyint", "-1 tinyint"}, "0 tinyint"},
      {{"7 smallint", "4 smallint"}, "3 smallint"},
      {{"-9223372036854775808 bigint", "-1 bigint"}, "0 bigint"},
      {{"5.5 double", "-2.25 double"}, "1 double"},
      {{"-5.5 float", "2.25 float"}, "-1 float"},
      {{"5.5 double", "0 double"}, "null double", kDivideByZero},
      {{"inf double", "2 double"}, "nan double"},
      {{"1e300 double", "7 double"}, "1 double"},
      {{"7.5 decimal(5,1)", "0.26 decimal(5,2)"}, "0.22 decimal(5,2)"},
      {{"-7.55 decimal(5,2)", "2.5 decimal(5,1)"}, "-0.05 decimal(5,2)"},
      {{"1.5 decimal(5,1)", "0.00 decimal(5,2)"}, "null decimal(5,2)", kDivideByZero},
      {{"1 decimal(38,0)", "0.3 decimal(38,37)"}, "0.1000000000000000000000000000000000000 decimal(38,37)"},
  };

  template <Integer T, class E>
  ACC_HD static T call(T lhs, T rhs, E& error) {
    error |= rhs == 0 ? static_cast<E>(kDivideByZero) : E{0};
    const bool is_trivial = rhs == 0 || rhs == -1;  // the smallest value by -1 has a remainder, but traps
    return is_trivial ? T{0} : static_cast<T>(lhs % rhs);
  }
  template <class E>
  ACC_HD static float call(float lhs, float rhs, E& error) {
    error |= rhs == 0 ? static_cast<E>(kDivideByZero) : E{0};
    // Exact in double: a float's exponent and fraction are fewer bits, and so are the remainder's.
    return static_cast<float>(types::remainder(lhs, rhs));
  }
  template <class E>
  ACC_HD static double call(double lhs, double rhs, E& error) {
    error |= rhs == 0 ? static_cast<E>(kDivideByZero) : E{0};
    return types::remainder(lhs, rhs);
  }

  ACC_HD static types::DecimalRange range(types::DecimalRange lhs, types::DecimalRange rhs,
                                          const types::DecimalContext& context) {
    const types::DecimalRange left = lhs.scaled_up(context.common_scale() - context.left_scale);
    const types::DecimalRange right = rhs.scaled_up(context.common_scale() - context.right_scale);
    if (!left.fits_int64() || !right.fits_int64()) return types::DecimalRange::unknown();
    const int128 bound = left.max > -left.min ? left.max : -left.min;
    return types::DecimalRange::of(-bound, bound);
  }
  template <class E>
  ACC_HD static int64 call_narrow(int64 lhs, int64 rhs, const types::DecimalContext& context, E& error) {
    error |= rhs == 0 ? static_cast<E>(kDivideByZero) : E{0};
    const int64 left = wrapping_multiply(lhs, context.left_factor);
    const uint64 right = magnitude_of(wrapping_multiply(rhs, context.right_factor));
    const int64 rest = static_cast<int64>(magnitude_of(left) % (right == 0 ? 1 : right));
    return left < 0 ? wrapping_negate(rest) : rest;
  }
  template <class E>
  ACC_HD static int128 call_wide(int128 lhs, int128 rhs, const types::DecimalContext& context, E& error) {
    if (rhs == 0) {
      error |= static_cast<E>(kDivideByZero);
      return 0;
    }
    const DecimalDivision division = divide_decimals(types::magnitude(lhs), types::magnitude(rhs), context);
    error |= is_division_impossible(division.quotient) ? static_cast<E>(kOutOfRange) : E{0};
    const int128 rest = static_cast<int128>(division.remainder);
    return lhs < 0 ? wrapping_negate(rest) : rest;
  }
};

}  // namespace accelerant::functions
