#pragma once

#include "base/macros.h"
#include "types/integers.h"
#include "types/wide_integer.h"

namespace accelerant::types {

/// Returns 10^exponent, exponent in [0, 38].
ACC_HD constexpr int128 power_of_ten(int32 exponent) {
  constexpr int64 k16 = 10000000000000000;
  int128 result = 1;
  if (exponent & 1) result *= 10;
  if (exponent & 2) result *= 100;
  if (exponent & 4) result *= 10000;
  if (exponent & 8) result *= 100000000;
  if (exponent & 16) result *= k16;
  if (exponent & 32) result *= static_cast<int128>(k16) * k16;
  return result;
}

/// Returns |value|, also of the smallest value.
ACC_HD constexpr uint128 magnitude(int128 value) {
  return value < 0 ? -static_cast<uint128>(value) : static_cast<uint128>(value);
}

/// Types of a decimal operation, known when the program is built. An argument or result that is no decimal has
/// precision 0. A unary function has its argument on the left.
struct DecimalContext {
  int32 left_precision = 0;
  int32 left_scale = 0;
  int32 right_precision = 0;
  int32 right_scale = 0;
  int32 result_precision = 0;
  int32 result_scale = 0;
  int128 limit = 0;  ///< 10^result_precision: every result is below this magnitude
  /// What narrow bodies multiply by to bring arguments to the larger of their scales; 1 where it does not fit.
  int64 left_factor = 1;
  int64 right_factor = 1;
  /// What narrow bodies multiply a dividend by; 1 where it does not fit.
  int64 quotient_factor = 1;
  /// 10 to the difference of the left and the result's scale; 0 where it does not fit.
  int64 rescale_factor = 1;

  ACC_HD constexpr int32 common_scale() const { return left_scale > right_scale ? left_scale : right_scale; }
};

/// Fills the derived fields.
ACC_HD constexpr DecimalContext complete(DecimalContext context) {
  context.limit = power_of_ten(context.result_precision);
  const auto factor = [](int32 exponent, int64 otherwise) {
    return exponent >= 0 && exponent <= 18 ? static_cast<int64>(power_of_ten(exponent)) : otherwise;
  };
  const int32 left = context.common_scale() - context.left_scale;
  const int32 right = context.common_scale() - context.right_scale;
  const int32 up = context.result_scale - context.left_scale;
  context.left_factor = factor(left, 1);
  context.right_factor = factor(right, 1);
  context.quotient_factor = factor(up + context.right_scale, 1);
  context.rescale_factor = factor(up < 0 ? -up : up, 0);
  return context;
}

/// Bounds of unscaled values, both inclusive. What is not `known` may be any value.
struct DecimalRange {
  /// Sums of two such magnitudes fit int128.
  static constexpr uint128 kLargestTerm = (uint128{1} << 126) - 1;

  int128 min = 0;
  int128 max = 0;
  bool known = false;

  ACC_HD static constexpr DecimalRange unknown() { return {}; }
  ACC_HD static constexpr DecimalRange of(int128 min, int128 max) { return {min, max, true}; }
  /// All values of a precision.
  ACC_HD static constexpr DecimalRange of_precision(int32 precision) {
    const int128 bound = power_of_ten(precision) - 1;
    return {-bound, bound, true};
  }

  /// Says whether every value fits int64.
  ACC_HD constexpr bool fits_int64() const {
    return known && min >= static_cast<int64>(-0x7fffffffffffffffL) && max <= static_cast<int64>(0x7fffffffffffffffL);
  }
  /// Says whether every value is below `limit` in magnitude.
  ACC_HD constexpr bool within(int128 limit) const { return known && min > -limit && max < limit; }

  /// Returns the largest magnitude of a known range.
  ACC_HD constexpr uint128 largest() const {
    const uint128 below = magnitude(min);
    const uint128 above = magnitude(max);
    return below > above ? below : above;
  }

  ACC_HD constexpr DecimalRange negated() const { return known ? of(-max, -min) : unknown(); }
  ACC_HD constexpr DecimalRange plus(DecimalRange other) const {
    if (!known || !other.known || largest() > kLargestTerm || other.largest() > kLargestTerm) return unknown();
    return of(min + other.min, max + other.max);
  }
  ACC_HD constexpr DecimalRange times(DecimalRange other) const {
    if (!known || !other.known) return unknown();
    if (other.largest() != 0 && largest() > kLargestTerm / other.largest()) return unknown();
    const int128 products[4] = {min * other.min, min * other.max, max * other.min, max * other.max};
    DecimalRange result = of(products[0], products[0]);
    for (int128 product : products) {
      if (product < result.min) result.min = product;
      if (product > result.max) result.max = product;
    }
    return result;
  }
  /// Bounds after a multiplication by 10^exponent.
  ACC_HD constexpr DecimalRange scaled_up(int32 exponent) const {
    if (exponent == 0) return *this;
    if (exponent > 18) return unknown();
    return times(of(power_of_ten(exponent), power_of_ten(exponent)));
  }
};

/// Returns value / 10^exponent, halves away from zero.
ACC_HD inline int128 divide_power_of_ten_half_up(int128 value, int32 exponent) {
  if (exponent <= 0) return value;
  const uint128 divisor = static_cast<uint128>(power_of_ten(exponent));
  const uint128 absolute = magnitude(value);
  uint128 quotient = absolute / divisor;
  quotient += (absolute - quotient * divisor) * 2 >= divisor;
  return value < 0 ? -static_cast<int128>(quotient) : static_cast<int128>(quotient);
}

/// Gives a magnitude its sign, or 0 and `code` in `error` when it is not below `limit`.
template <int N, class E>
ACC_HD inline int128 signed_within(const WideUnsigned<N>& absolute, bool negative, int128 limit, E code, E& error) {
  if (!absolute.less_than(static_cast<uint128>(limit))) {
    error |= code;
    return 0;
  }
  const int128 value = static_cast<int128>(absolute.low());
  return negative ? -value : value;
}

/// Moves an unscaled value from one scale to another, halves away from zero; 0 and `code` in `error` when the result is
/// not below `limit` (Spark's Decimal.changePrecision).
template <class E>
ACC_HD inline int128 rescale(int128 value, int32 from_scale, int32 to_scale, int128 limit, E code, E& error) {
  const uint128 absolute = magnitude(value);
  if (to_scale <= from_scale) {
    const int32 drop = from_scale - to_scale;
    const int128 rounded = drop > 38 ? 0 : divide_power_of_ten_half_up(value, drop);
    if (magnitude(rounded) < static_cast<uint128>(limit)) return rounded;
    error |= code;
    return 0;
  }
  auto wide = WideUnsigned<8>::of(absolute);
  wide.multiply_power_of_ten(to_scale - from_scale);
  return signed_within(wide, value < 0, limit, code, error);
}

}  // namespace accelerant::types
