#pragma once

#include "base/macros.h"
#include "functions/error_codes.h"
#include "types/decimal.h"
#include "types/floating.h"

/// The whole numbers next to a number.
namespace accelerant::functions {

/// Says whether a number is neither an int64, when cut towards zero, nor NaN.
ACC_HD inline bool is_outside_int64(double value) {
  return value < -types::kBeyondInt64 || value >= types::kBeyondInt64;
}

/// Returns Java's `(long) Math.floor(value)`; sets kOverflow where that cuts the number to the bounds of the type.
template <class E>
ACC_HD inline int64 floor_to_int64(double value, E& error) {
  const int64 cut = types::saturate<int64>(value);
  error |= is_outside_int64(value) ? static_cast<E>(kOverflow) : E{0};
  return cut - static_cast<int64>(value < static_cast<double>(cut) && value > -types::kBeyondInt64);
}

/// Returns Java's `(long) Math.ceil(value)`; sets kOverflow where that cuts the number to the bounds of the type.
template <class E>
ACC_HD inline int64 ceil_to_int64(double value, E& error) {
  const int64 cut = types::saturate<int64>(value);
  error |= is_outside_int64(value) ? static_cast<E>(kOverflow) : E{0};
  return cut + static_cast<int64>(value > static_cast<double>(cut) && value < types::kBeyondInt64);
}

/// Returns the largest integer that is not above value / divisor, with divisor > 0.
template <class Integral>
ACC_HD inline Integral floor_quotient(Integral value, Integral divisor) {
  const Integral quotient = value / divisor;
  return quotient - static_cast<Integral>(quotient * divisor > value);
}

/// Brings the unscaled value of a decimal to the result's smaller scale, downwards.
ACC_HD inline int64 floor_rescale(int64 value, const types::DecimalContext& context) {
  if (context.rescale_factor == 0) return value < 0 ? -1 : 0;
  return floor_quotient(value, context.rescale_factor);
}
ACC_HD inline int128 floor_rescale(int128 value, const types::DecimalContext& context) {
  return floor_quotient(value, types::power_of_ten(context.left_scale - context.result_scale));
}

}  // namespace accelerant::functions
