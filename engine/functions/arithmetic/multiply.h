#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Multiply {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Multiply",
      .sql = "expr1 * expr2",
      .text =
          "Returns the product. Integers wrap around in legacy mode; decimals that need too many digits are null "
          "there.",
      .fails_only_in_ansi = true,
      .decimals_only_overflow = true,
  };
  using Signatures = BinarySame<types::ByteType, types::ShortType, types::IntType, types::LongType, types::FloatType,
                                types::DoubleType, types::DecimalType>;
  static constexpr Example kExamples[] = {
      {{"2 int", "3 int"}, "6 int"},
      {{"null int", "null int"}, "null int"},
      {{"64 tinyint", "2 tinyint"}, "-128 tinyint", kOverflow},
      {{"-32768 smallint", "-1 smallint"}, "-32768 smallint", kOverflow},
      {{"65536 int", "65536 int"}, "0 int", kOverflow},
      {{"-9223372036854775808 bigint", "-1 bigint"}, "-9223372036854775808 bigint", kOverflow},
      {{"-4294967296 bigint", "2147483648 bigint"}, "-9223372036854775808 bigint"},
      {{"0.5 double", "3 double"}, "1.5 double"},
      {{"0.5 float", "3 float"}, "1.5 float"},
      {{"901.00 decimal(15,2)", "0.94 decimal(16,2)"}, "846.9400 decimal(32,4)"},
      {{"-1.5 decimal(38,10)", "0.0000010000 decimal(38,10)"}, "-0.000002 decimal(38,6)"},
      {{"99999999999999999999 decimal(38,0)", "99999999999999999999 decimal(38,0)"},
       "null decimal(38,0)",
       kDecimalOverflow},
  };

  template <Integer T, class E>
  ACC_HD static T call(T lhs, T rhs, E& error) {
    using Wide = typename WiderOf<T>::Type;
    const Wide product = static_cast<Wide>(lhs) * static_cast<Wide>(rhs);
    const T result = static_cast<T>(product);
    error |= static_cast<E>(product != result);
    return result;
  }
  ACC_HD static float call(float lhs, float rhs) { return lhs * rhs; }
  ACC_HD static double call(double lhs, double rhs) { return lhs * rhs; }

  ACC_HD static types::DecimalRange range(types::DecimalRange lhs, types::DecimalRange rhs,
                                          const types::DecimalContext& context) {
    if (context.result_scale != context.left_scale + context.right_scale) return types::DecimalRange::unknown();
    return lhs.times(rhs);
  }
  ACC_HD static int64 call_narrow(int64 lhs, int64 rhs, const types::DecimalContext&) {
    return wrapping_multiply(lhs, rhs);
  }

  /// Multiplies exactly and rounds once: Spark cuts the product to 39 digits first, but towards zero, which changes no
  /// half.
  template <class E>
  ACC_HD static int128 call_wide(int128 lhs, int128 rhs, const types::DecimalContext& context, E& error) {
    const uint128 left = types::magnitude(lhs);
    const uint128 right = types::magnitude(rhs);
    const int32 drop = context.left_scale + context.right_scale - context.result_scale;
    if (drop == 0 && ((left | right) >> 63) == 0) {
      const uint128 product = left * right;
      const bool fits = product < static_cast<uint128>(context.limit);
      error |= fits ? E{0} : static_cast<E>(kDecimalOverflow);
      const int128 value = fits ? static_cast<int128>(product) : 0;
      return (lhs < 0) != (rhs < 0) ? -value : value;
    }
    auto product = types::WideUnsigned<9>::product(left, right);
    product.divide_power_of_ten_half_up(drop);
    return types::signed_within(product, (lhs < 0) != (rhs < 0), context.limit, static_cast<E>(kDecimalOverflow),
                                error);
  }
};

}  // namespace accelerant::functions
