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
    const int128 whole = value / types::power_of_ten(context.left_scale);
    const To result = static_cast<To>(whole);
    const bool fits = result == whole;
    const double near = types::to_floating<double>(value, context.left_scale);
    constexpr double kEnd = static_cast<double>(int64{1} << (8 * sizeof(To) - 1));
    const bool near_fits = near > -kEnd - 1 && near < kEnd;
    const bool is_same = fits == near_fits && (!fits || static_cast<To>(near) == result);
    error |= !is_same ? static_cast<E>(kNeedsSpark) : !fits ? static_cast<E>(kCastOverflow) : E{0};
    return result;
  }
};

}  // namespace accelerant::functions
