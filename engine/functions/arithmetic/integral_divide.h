#pragma once

#include "functions/arithmetic/decimal_division.h"
#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct IntegralDivide {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.IntegralDivide",
      .sql = "expr1 div expr2",
      .text = "Returns the integral part of the quotient as a bigint; null or an error when the divisor is zero.",
      .right_first = true,
  };
  using Signatures = SignatureList<Signature<types::LongType, types::LongType, types::LongType>,
                                   Signature<types::LongType, types::DecimalType, types::DecimalType>>;
  static constexpr Example kExamples[] = {
      {{"7 bigint", "2 bigint"}, "3 bigint"},
      {{"-7 bigint", "2 bigint"}, "-3 bigint"},
      {{"7 bigint", "0 bigint"}, "null bigint", kDivideByZero},
      {{"null bigint", "0 bigint"}, "null bigint"},
      {{"-9223372036854775808 bigint", "-1 bigint"}, "-9223372036854775808 bigint", kOverflow},
      {{"7.5 decimal(5,1)", "0.26 decimal(5,2)"}, "28 bigint"},
      {{"-7.55 decimal(5,2)", "2.5 decimal(5,1)"}, "-3 bigint"},
      {{"1.5 decimal(5,1)", "0.00 decimal(5,2)"}, "null bigint", kDivideByZero},
      {{"36893488147419103230 decimal(38,0)", "2 decimal(1,0)"}, "-1 bigint"},
  };

  template <class E>
  ACC_HD static int64 call(int64 lhs, int64 rhs, E& error) {
    const bool is_zero = rhs == 0;
    const int64 negated = wrapping_negate(lhs);
    error |= is_zero ? static_cast<E>(kDivideByZero) : rhs == -1 ? sign_bit(lhs & negated) : E{0};
    return rhs == -1 ? negated : lhs / (is_zero ? 1 : rhs);
  }

  template <class E>
  ACC_HD static int64 call_narrow(int64 lhs, int64 rhs, const types::DecimalContext& context, E& error) {
    return call_wide(lhs, rhs, context, error);
  }
  /// Divides as decimals, checks the digits of the quotient, and keeps its low 64 bits.
  template <class E>
  ACC_HD static int64 call_wide(int128 lhs, int128 rhs, const types::DecimalContext& context, E& error) {
    if (rhs == 0) {
      error |= static_cast<E>(kDivideByZero);
      return 0;
    }
    const DecimalDivision division = divide_decimals(types::magnitude(lhs), types::magnitude(rhs), context);
    if (is_division_impossible(division.quotient)) {
      error |= static_cast<E>(kOutOfRange);
      return 0;
    }
    const int32 digits = context.left_precision - context.left_scale + context.right_scale;
    const int128 limit = types::power_of_ten(digits < 1 ? 1 : digits > 38 ? 38 : digits);
    const bool is_negative = (lhs < 0) != (rhs < 0);
    return static_cast<int64>(
        types::signed_within(division.quotient, is_negative, limit, static_cast<E>(kDecimalOverflow), error));
  }
};

}  // namespace accelerant::functions
