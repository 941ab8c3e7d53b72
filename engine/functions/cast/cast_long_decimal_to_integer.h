#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"
#include "types/floating.h"

namespace accelerant::functions {

/// Spark goes by way of a double where it has a decimal as a BigDecimal, which depends on where that came from. Both
/// ways lead to the same unless the double is another whole number.
struct CastLongDecimalToInteger {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text =
          "Turns decimals of more than 15 digits into int and narrower in ANSI mode, cutting the fraction off; "
          "Spark itself those that are too near to a whole number.",
      .needs_spark = true,
  };
  using Signatures =
      SignatureList<Signature<types::ByteType, types::DecimalType>, Signature<types::ShortType, types::DecimalType>,
                    Signature<types::IntType, types::DecimalType>>;
  static constexpr Example kExamples[] = {
      {{"1.990000 decimal(21,6)"}, "1 int"},
      {{"-1.990000 decimal(21,6)"}, "-1 int"},
      {{"null decimal(21,6)"}, "null int"},
      {{"2147483647.999999 decimal(16,6)"}, "2147483647 int"},
      {{"-2147483648.999999 decimal(38,6)"}, "-2147483648 int"},
      {{"2147483648.000000 decimal(21,6)"}, "-2147483648 int", kCastOverflow},
      {{"-129.00000000000000 decimal(17,14)"}, "127 tinyint", kCastOverflow},
      {{"1.999999999999999888977 decimal(22,21)"}, "1 int"},
      {{"-1.999999999999999888978 decimal(22,21)"}, "-1 int", kNeedsSpark},
      {{"127.99999999999999999999 decimal(38,20)"}, "127 tinyint", kNeedsSpark},
      {{"2.99999999999999999999 decimal(21,20)"}, "2 smallint", kNeedsSpark},
      {{"-0.99999999999999999999 decimal(20,20)"}, "0 int", kNeedsSpark},
  };

  ACC_HD static constexpr bool supports(uint8, const types::DecimalContext& context, bool ansi) {
    return ansi && context.left_scale > 0 && context.left_precision > 15;
  }

  template <Integer To, class E>
  ACC_HD static To call_narrow(int64 value, const types::DecimalContext& context, E& error) {
    return call_wide<To>(value, context, error);
  }
  template <Integer To, class E>
  ACC_HD static To call_wide(int128 value, const types::DecimalContext& context, E& error) {
    const int128 unit = types::power_of_ten(context.left_scale);
    const int128 whole = value / unit;
    const To result = static_cast<To>(whole);
    const bool fits = result == whole;
    if (!fits) {
      error |= static_cast<E>(kCastOverflow);
    } else if (is_near_next(value - whole * unit, unit, result)) {
      error |= static_cast<E>(kNeedsSpark);
    }
    return result;
  }

 private:
  /// Says whether the double next to a number is the next whole number away from zero: whether no more is left to that
  /// one than half a step of the doubles before it. `whole` and `rest`, in units of one, make the number.
  ACC_HD static bool is_near_next(int128 rest, int128 unit, int32 whole) {
    const double middle = (whole < 0 ? -static_cast<double>(whole) : static_cast<double>(whole)) + 0.5;
    const int32 exponent = static_cast<int32>(types::bits_of(middle) >> 52) - 1023;
    const int128 left = unit - (rest < 0 ? -rest : rest);
    return left <= unit >> (53 - exponent);
  }
};

}  // namespace accelerant::functions
