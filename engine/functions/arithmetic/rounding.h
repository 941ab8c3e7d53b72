#pragma once

#include "functions/cast/java_digits.h"
#include "functions/cast/nearest_floating.h"

namespace accelerant::functions {

/// Rounds a number at `scale` places behind the point, as java.math.BigDecimal does with the digits that Java writes it
/// with; a float counts as a double. NaN and infinities stay.
/// @param half_to_even whether halves go to the even neighbour, rather than away from zero
template <class F>
ACC_HD inline F round_floating(F value, int32 scale, int32 java, bool half_to_even) {
  const double number = value;
  const double magnitude = number < 0 ? -number : number;
  if (number == 0) return 0;
  if (!(magnitude > magnitude / 2)) return value;
  JavaDigits digits = java_digits(magnitude, java);
  const int64 kept = static_cast<int64>(digits.exponent) + scale;
  if (kept >= digits.count) return value;
  if (kept < 0) return 0;
  const auto wanted = static_cast<int32>(kept);
  const bool is_odd = wanted > 0 && (digits.digits[wanted - 1] & 1) != 0;
  bool goes_up = digits.digits[wanted] >= '5';
  if (half_to_even && digits.digits[wanted] == '5' && !is_odd) {
    goes_up = false;
    for (int32 i = wanted + 1; i < digits.count; ++i) goes_up |= digits.digits[i] != '0';
  }
  if (wanted == 0) {
    // The place before the first digit.
    digits.digits[0] = goes_up ? '1' : '0';
    digits.exponent += 1;
    digits.count = 1;
  } else {
    digits.count = wanted;
    if (goes_up) digits.round_up();
  }
  DecimalDigits rounded;
  rounded.text = {digits.digits, digits.count};
  rounded.num_digits = digits.digits[0] == '0' ? 0 : digits.count;
  rounded.exponent = digits.exponent - digits.count;
  const F result = nearest<F>(rounded);
  return number < 0 && result != 0 ? -result : result;
}

}  // namespace accelerant::functions
