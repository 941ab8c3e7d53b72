#pragma once

#include "functions/arithmetic/decimal_sum.h"
#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Add {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Add",
      .sql = "expr1 + expr2",
      .text =
          "Returns the sum. Integers wrap around in legacy mode; decimals that need too many digits are null there.",
      .fails_only_in_ansi = true,
      .decimals_only_overflow = true,
  };
  using Signatures = BinarySame<types::ByteType, types::ShortType, types::IntType, types::LongType, types::FloatType,
                                types::DoubleType, types::DecimalType>;
  static constexpr Example kExamples[] = {
      {{"2 int", "3 int"}, "5 int"},
      {{"null int", "3 int"}, "null int"},
      {{"127 tinyint", "1 tinyint"}, "-128 tinyint", kOverflow},
      {{"-32768 smallint", "-1 smallint"}, "32767 smallint", kOverflow},
      {{"2147483647 int", "1 int"}, "-2147483648 int", kOverflow},
      {{"-9223372036854775808 bigint", "-1 bigint"}, "9223372036854775807 bigint", kOverflow},
      {{"-9223372036854775808 bigint", "9223372036854775807 bigint"}, "-1 bigint"},
      {{"1.5 float", "0.25 float"}, "1.75 float"},
      {{"1.7e308 double", "1.7e308 double"}, "inf double"},
      {{"1.10 decimal(15,2)", "2 decimal(1,0)"}, "3.10 decimal(16,2)"},
      {{"99999999999999999999999999999999999999 decimal(38,0)", "1 decimal(1,0)"},
       "null decimal(38,0)",
       kDecimalOverflow},
      {{"1.5 decimal(38,1)", "0.0000005 decimal(38,7)"}, "1.500001 decimal(38,6)"},
  };

  template <Integer T, class E>
  ACC_HD static T call(T lhs, T rhs, E& error) {
    const T sum = wrapping_add(lhs, rhs);
    error |= sign_bit(static_cast<T>((lhs ^ sum) & (rhs ^ sum)));  // both signs differ from the sum's
    return sum;
  }
  ACC_HD static float call(float lhs, float rhs) { return lhs + rhs; }
  ACC_HD static double call(double lhs, double rhs) { return lhs + rhs; }

  ACC_HD static types::DecimalRange range(types::DecimalRange lhs, types::DecimalRange rhs,
                                          const types::DecimalContext& context) {
    return decimal_sum_range(lhs, rhs, context);
  }
  ACC_HD static int64 call_narrow(int64 lhs, int64 rhs, const types::DecimalContext& context) {
    return wrapping_add(wrapping_multiply(lhs, context.left_factor), wrapping_multiply(rhs, context.right_factor));
  }
  template <class E>
  ACC_HD static int128 call_wide(int128 lhs, int128 rhs, const types::DecimalContext& context, E& error) {
    return decimal_sum(lhs, rhs, context, error);
  }
};

}  // namespace accelerant::functions
