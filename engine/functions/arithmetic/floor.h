#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/arithmetic/rounding_call.h"
#include "functions/arithmetic/whole_numbers.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Floor {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Floor",
      .sql = "floor(expr)",
      .text = "Returns the largest whole number that is not above a number; what is too large for a bigint is cut.",
      .fails_only_in_ansi = true,
  };
  using Signatures = typename Concatenate<From<types::LongType, types::LongType, types::DoubleType>,
                                          UnarySame<types::DecimalType>>::Type;
  static constexpr Example kExamples[] = {
      {{"-1.5 double"}, "-2 bigint"},
      {{"1.5 double"}, "1 bigint"},
      {{"-0.0 double"}, "0 bigint"},
      {{"-1e-300 double"}, "-1 bigint"},
      {{"2251799813685249.5 double"}, "2251799813685249 bigint"},
      {{"-9223372036854775808 double"}, "-9223372036854775808 bigint"},
      {{"1e300 double"}, "9223372036854775807 bigint", kOverflow},
      {{"-inf double"}, "-9223372036854775808 bigint", kOverflow},
      {{"nan double"}, "0 bigint"},
      {{"null double"}, "null bigint"},
      {{"9223372036854775807 bigint"}, "9223372036854775807 bigint"},
      {{"1.99 decimal(5,2)"}, "1 decimal(4,0)"},
      {{"-1.01 decimal(5,2)"}, "-2 decimal(4,0)"},
      {{"-1.00 decimal(5,2)"}, "-1 decimal(4,0)"},
      {{"-1.2345 decimal(5,4)"}, "-1.24 decimal(4,2)"},
      {{"-0.00000000000000000000000000000000000001 decimal(38,38)"}, "-1 decimal(1,0)"},
      {{"-1234567890123456789012345678.0000000001 decimal(38,10)"}, "-1234567890123456789012345679 decimal(29,0)"},
      {{"null decimal(5,2)"}, "null decimal(4,0)"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_whole_number(call);
  }

  ACC_HD static int64 call(int64 value) { return value; }
  template <class T, class E>
  requires(kSameType<T, double>) ACC_HD static int64 call(T value, E& error) { return floor_to_int64(value, error); }

  ACC_HD static types::DecimalRange range(types::DecimalRange value, const types::DecimalContext& context) {
    if (!value.fits_int64()) return types::DecimalRange::unknown();
    return types::DecimalRange::of(floor_rescale(value.min, context), floor_rescale(value.max, context));
  }
  ACC_HD static int64 call_narrow(int64 value, const types::DecimalContext& context) {
    return floor_rescale(value, context);
  }
  ACC_HD static int128 call_wide(int128 value, const types::DecimalContext& context) {
    return floor_rescale(value, context);
  }
};

}  // namespace accelerant::functions
