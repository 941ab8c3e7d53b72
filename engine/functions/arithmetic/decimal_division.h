#pragma once

#include "functions/error_codes.h"
#include "types/decimal.h"

/// Exact decimal quotients and remainders, as java.math.BigDecimal gives them to Spark.
namespace accelerant::functions {

/// Says whether BigDecimal gives up on an integral quotient: when it needs more than 39 digits that are not zeros at
/// the end.
template <int N>
ACC_HD inline bool is_division_impossible(types::WideUnsigned<N> quotient) {
  bool dropped = false;
  auto limit = types::WideUnsigned<N>::of(static_cast<uint128>(types::power_of_ten(38)));
  limit.multiply_power_of_ten(1);
  while (quotient.compare(limit) >= 0) dropped |= quotient.divide(10u) != 0;
  return dropped;
}

/// Returns the number of bits up to the highest that is set.
ACC_HD inline int32 bit_length(uint128 value) {
  int32 bits = 0;
  for (int32 step = 64; step > 0; step /= 2) {
    if (value >> step != 0) {
      value >>= step;
      bits += step;
    }
  }
  return bits + (value != 0);
}

/// Divides and rounds once, halves away from zero: Spark cuts the quotient at scale 39 first, but towards zero, which
/// changes no half.
template <class E>
ACC_HD inline int128 decimal_quotient(int128 lhs, int128 rhs, const types::DecimalContext& context, E& error) {
  if (rhs == 0) {
    error |= static_cast<E>(kDivideByZero);
    return 0;
  }
  const uint128 left = types::magnitude(lhs);
  const uint128 right = types::magnitude(rhs);
  const bool negative = (lhs < 0) != (rhs < 0);
  const int32 exponent = context.result_scale - context.left_scale + context.right_scale;
  if (exponent >= 0 && exponent <= 38) {
    const uint128 factor = static_cast<uint128>(types::power_of_ten(exponent));
    if (bit_length(left) + bit_length(factor) <= 127) {
      const uint128 numerator = left * factor;
      uint128 quotient = numerator / right;
      const uint128 rest = numerator - quotient * right;
      quotient += rest >= right - rest;
      if (quotient < static_cast<uint128>(context.limit)) {
        return negative ? -static_cast<int128>(quotient) : static_cast<int128>(quotient);
      }
      error |= static_cast<E>(kDecimalOverflow);
      return 0;
    }
  }
  auto quotient = types::WideUnsigned<12>::of(left);
  quotient.multiply_power_of_ten(39 - context.left_scale + context.right_scale);
  quotient.divide(right);
  quotient.divide_power_of_ten_half_up(39 - context.result_scale);
  return types::signed_within(quotient, negative, context.limit, static_cast<E>(kDecimalOverflow), error);
}

/// An integral quotient and what is left, as magnitudes; both of the arguments brought to the larger scale.
struct DecimalDivision {
  types::WideUnsigned<9> quotient;
  uint128 remainder;
};

/// Divides magnitudes, `right` not 0.
ACC_HD inline DecimalDivision divide_decimals(uint128 left, uint128 right, const types::DecimalContext& context) {
  const int32 left_exponent = context.common_scale() - context.left_scale;
  const int32 right_exponent = context.common_scale() - context.right_scale;
  DecimalDivision result;
  if (right_exponent == 0) {
    result.quotient = types::WideUnsigned<9>::of(left);
    result.quotient.multiply_power_of_ten(left_exponent);
    result.remainder = result.quotient.divide(right);
    return result;
  }
  auto divisor = types::WideUnsigned<9>::of(right);
  divisor.multiply_power_of_ten(right_exponent);
  const bool is_larger = !divisor.less_than(left) && divisor.compare(types::WideUnsigned<9>::of(left)) > 0;
  result.quotient = types::WideUnsigned<9>::of(is_larger ? 0 : left / divisor.low());
  result.remainder = is_larger ? left : left % divisor.low();
  return result;
}

}  // namespace accelerant::functions
