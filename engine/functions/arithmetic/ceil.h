#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/arithmetic/rounding_call.h"
#include "functions/arithmetic/whole_numbers.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Ceil {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Ceil",
      .sql = "ceil(expr)",
      .text = "Returns the smallest whole number that is not below a number; what is too large for a bigint is cut.",
      .fails_only_in_ansi = true,
  };
  using Signatures = typename Concatenate<From<types::LongType, types::LongType, types::DoubleType>,
                                          UnarySame<types::DecimalType>>::Type;
  static constexpr Example kExamples[] = {
      {{"-1.5 double"}, "-1 bigint"},
      {{"1.5 double"}, "2 bigint"},
      {{"1e-300 double"}, "1 bigint"},
      {{"-0.5 double"}, "0 bigint"},
      {{"2251799813685248.5 double"}, "2251799813685249 bigint"},
      {{"9223372036854774784 double"}, "9223372036854774784 bigint"},
      {{"1e300 double"}, "9223372036854775807 bigint", kOverflow},
      {{"-inf double"}, "-9223372036854775808 bigint", kOverflow},
      {{"nan double"}, "0 bigint"},
      {{"null double"}, "null bigint"},
      {{"9223372036854775807 bigint"}, "9223372036854775807 bigint"},
      {{"1.01 decimal(5,2)"}, "2 decimal(4,0)"},
      {{"-1.99 decimal(5,2)"}, "-1 decimal(4,0)"},
      {{"999.99 decimal(5,2)"}, "1000 decimal(4,0)"},
      {{"1.2345 decimal(5,4)"}, "1.24 decimal(4,2)"},
      {{"0.00000000000000000000000000000000000001 decimal(38,38)"}, "1 decimal(1,0)"},
      {{"1234567890123456789012345678.0000000001 decimal(38,10)"}, "1234567890123456789012345679 decimal(29,0)"},
      {{"null decimal(5,2)"}, "null decimal(4,0)"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_whole_number(call);
  }

  ACC_HD static int64 call(int64 value) { return value; }
  template <class T, class E>
  requires(kSameType<T, double>) ACC_HD static int64 call(T value, E& error) { return ceil_to_int64(value, error); }

  ACC_HD static types::DecimalRange range(types::DecimalRange value, const types::DecimalContext& context) {
    if (!value.fits_int64()) return types::DecimalRange::unknown();
    return types::DecimalRange::of(ceil_rescale(value.min, context), ceil_rescale(value.max, context));
  }
  ACC_HD static int64 call_narrow(int64 value, const types::DecimalContext& context) {
    return ceil_rescale(value, context);
  }
  ACC_HD static int128 call_wide(int128 value, const types::DecimalContext& context) {
    return ceil_rescale(value, context);
  }

 private:
  /// Below a null may lie the smallest integer, whose negation wraps.
  template <class T>
  ACC_HD static T ceil_rescale(T value, const types::DecimalContext& context) {
    return wrapping_negate(floor_rescale(wrapping_negate(value), context));
  }
};

}  // namespace accelerant::functions
