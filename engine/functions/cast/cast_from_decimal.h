#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"
#include "types/floating.h"

namespace accelerant::functions {

struct CastFromDecimal {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text =
          "Turns decimals into numbers and booleans, cutting the fraction off for integers; integers wrap around in "
          "legacy mode.",
  };
  using Signatures =
      SignatureList<Signature<types::ByteType, types::DecimalType>, Signature<types::ShortType, types::DecimalType>,
                    Signature<types::IntType, types::DecimalType>, Signature<types::LongType, types::DecimalType>,
                    Signature<types::FloatType, types::DecimalType>, Signature<types::DoubleType, types::DecimalType>,
                    Signature<types::BooleanType, types::DecimalType>>;
  static constexpr Example kExamples[] = {
      {{"1.99 decimal(5,2)"}, "1 int"},
      {{"-1.99 decimal(5,2)"}, "-1 bigint"},
      {{"null decimal(5,2)"}, "null int"},
      {{"300.5 decimal(5,1)"}, "44 tinyint", kCastOverflow},
      {{"-32769 decimal(5,0)"}, "32767 smallint", kCastOverflow},
      {{"9223372036854775808 decimal(38,0)"}, "-9223372036854775808 bigint", kCastOverflow},
      {{"99999999999999999999.5 decimal(38,1)"}, "7766279631452241919 bigint", kCastOverflow},
      {{"0.00 decimal(5,2)"}, "false boolean"},
      {{"0.01 decimal(5,2)"}, "true boolean"},
      {{"0.1 decimal(1,1)"}, "0.10000000000000001 double"},
      {{"0.1 decimal(38,30)"}, "0.10000000000000001 double"},
      {{"12345678901234567890123456789012345678 decimal(38,0)"}, "1.2345678901234568e+37 double"},
      {{"-16777217 decimal(8,0)"}, "-16777216 float"},
      {{"0.00000000000000000000000000000000000001 decimal(38,38)"}, "9.99999935e-39 float"},
  };

  /// Where ANSI casts to int and narrower might go by way of a double: see CastLongDecimalToInteger.
  ACC_HD static constexpr bool supports(uint8 result, const types::DecimalContext& context, bool ansi) {
    const bool is_narrow =
        result == types::ByteType::kId || result == types::ShortType::kId || result == types::IntType::kId;
    return !ansi || !is_narrow || context.left_scale == 0 || context.left_precision <= 15;
  }

  template <Integer To, class E>
  ACC_HD static To call_narrow(int64 value, const types::DecimalContext& context, E& error) {
    const int64 divisor = context.rescale_factor;
    const int64 whole = divisor == 0 ? 0 : value / divisor;
    const To result = static_cast<To>(whole);
    error |= result != whole ? static_cast<E>(kCastOverflow) : E{0};
    return result;
  }
  template <Integer To, class E>
  ACC_HD static To call_wide(int128 value, const types::DecimalContext& context, E& error) {
    const int128 whole = value / types::power_of_ten(context.left_scale);
    const To result = static_cast<To>(whole);
    error |= result != whole ? static_cast<E>(kCastOverflow) : E{0};
    return result;
  }

  template <class To>
  requires(!Integer<To>) ACC_HD static To call_narrow(int64 value, const types::DecimalContext& context) {
    if constexpr (kSameType<To, bool>) {
      return value != 0;
    } else {
      return to_floating<To>(value, context);
    }
  }
  template <class To>
  requires(!Integer<To>) ACC_HD static To call_wide(int128 value, const types::DecimalContext& context) {
    if constexpr (kSameType<To, bool>) {
      return value != 0;
    } else {
      return to_floating<To>(value, context);
    }
  }

 private:
  template <class To, class Decimal>
  ACC_HD static To to_floating(Decimal value, const types::DecimalContext& context) {
    constexpr int128 kExact = int128{1} << (sizeof(To) == 8 ? 53 : 24);
    // One division of numbers that are exact rounds once; 10^10 is the last power that a float holds.
    if (value <= kExact && value >= -kExact && context.left_scale <= (sizeof(To) == 8 ? 18 : 10)) {
      return static_cast<To>(static_cast<int64>(value)) / static_cast<To>(context.rescale_factor);
    }
    return types::to_floating<To>(value, context.left_scale);
  }
};

}  // namespace accelerant::functions
