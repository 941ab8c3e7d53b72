#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastDecimal {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text =
          "Changes the digits of a decimal, halves rounding away from zero; null in legacy mode where it has too many.",
      .decimals_only_overflow = true,
  };
  using Signatures = UnarySame<types::DecimalType>;
  static constexpr Example kExamples[] = {
      {{"1.25 decimal(5,2)"}, "1.3 decimal(5,1)"},
      {{"-1.25 decimal(5,2)"}, "-1.3 decimal(5,1)"},
      {{"1.24 decimal(5,2)"}, "1.240 decimal(8,3)"},
      {{"99.95 decimal(4,2)"}, "null decimal(3,1)", kDecimalOverflow},
      {{"123.45 decimal(5,2)"}, "null decimal(4,2)", kDecimalOverflow},
      {{"12345678901234567890.125 decimal(38,3)"}, "12345678901234567890.13 decimal(38,2)"},
      {{"0.00000000000000000000000000000000000005 decimal(38,38)"}, "0 decimal(1,0)"},
      {{"123456789 decimal(38,0)"}, "null decimal(38,37)", kDecimalOverflow},
      {{"null decimal(38,0)"}, "null decimal(3,1)"},
  };

  ACC_HD static types::DecimalRange range(types::DecimalRange value, const types::DecimalContext& context) {
    if (!value.fits_int64() || context.rescale_factor == 0) return types::DecimalRange::unknown();
    const int32 up = context.result_scale - context.left_scale;
    if (up >= 0) return value.scaled_up(up);
    return types::DecimalRange::of(types::divide_power_of_ten_half_up(value.min, -up),
                                   types::divide_power_of_ten_half_up(value.max, -up));
  }
  ACC_HD static int64 call_narrow(int64 value, const types::DecimalContext& context) {
    const int64 factor = context.rescale_factor;
    if (context.result_scale >= context.left_scale) return wrapping_multiply(value, factor);
    const uint64 absolute = magnitude_of(value);
    const uint64 divisor = static_cast<uint64>(factor);
    uint64 quotient = absolute / divisor;
    quotient += (absolute - quotient * divisor) * 2 >= divisor;
    return value < 0 ? wrapping_negate(static_cast<int64>(quotient)) : static_cast<int64>(quotient);
  }
  template <class E>
  ACC_HD static int128 call_wide(int128 value, const types::DecimalContext& context, E& error) {
    return types::rescale(value, context.left_scale, context.result_scale, context.limit,
                          static_cast<E>(kDecimalOverflow), error);
  }
};

}  // namespace accelerant::functions
