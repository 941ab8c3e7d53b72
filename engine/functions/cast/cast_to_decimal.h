#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastToDecimal {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Turns integers and booleans into decimals; null in legacy mode where the digits do not suffice.",
  };
  using Signatures =
      From<types::DecimalType, types::BooleanType, types::ByteType, types::ShortType, types::IntType, types::LongType>;
  static constexpr Example kExamples[] = {
      {{"5 int"}, "5.00 decimal(10,2)"},
      {{"null int"}, "null decimal(10,2)"},
      {{"-128 tinyint"}, "null decimal(3,1)", kDecimalOverflow},
      {{"true boolean"}, "1.0 decimal(2,1)"},
      {{"9223372036854775807 bigint"}, "9223372036854775807.00 decimal(21,2)"},
      {{"123 smallint"}, "123 decimal(3,0)"},
      {{"-9223372036854775808 bigint"}, "-9223372036854775808 decimal(38,0)"},
      {{"9223372036854775807 bigint"}, "null decimal(18,0)", kDecimalOverflow},
  };

  ACC_HD static types::DecimalRange range(types::DecimalRange value, const types::DecimalContext& context) {
    return value.fits_int64() ? value.scaled_up(context.result_scale) : types::DecimalRange::unknown();
  }
  template <class From>
  ACC_HD static int64 call_narrow(From value, const types::DecimalContext& context) {
    return wrapping_multiply(static_cast<int64>(value), context.rescale_factor);
  }
  template <class From, class E>
  ACC_HD static int128 call_wide(From value, const types::DecimalContext& context, E& error) {
    return types::rescale(static_cast<int128>(value), 0, context.result_scale, context.limit,
                          static_cast<E>(kDecimalOverflow), error);
  }
};

}  // namespace accelerant::functions
