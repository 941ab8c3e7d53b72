#pragma once

#include "functions/cast/number_text.h"
#include "types/floating.h"
#include "types/wide_integer.h"

// Decimal digits to the nearest IEEE number, ties to even, for any number of digits. Numbers of up to 38 digits near 1
// are one exact division of 128-bit integers; others go through integers wide enough for every number that is neither
// zero nor infinite. Digits beyond the 780th can't decide more than that there are some (W. D. Clinger, "How to read
// floating point numbers accurately", 1990).

namespace accelerant::functions {

/// What IEEE numbers of a type are made of.
template <class F>
struct FloatingFormat;
template <>
struct FloatingFormat<double> {
  using Bits = uint64;
  static constexpr int32 kPrecision = 53;
  static constexpr int32 kMinExponent = -1022;
  static constexpr int32 kMaxExponent = 1023;
  ACC_HD static double of(uint64 bits) { return types::double_of(bits); }
};
template <>
struct FloatingFormat<float> {
  using Bits = uint32;
  static constexpr int32 kPrecision = 24;
  static constexpr int32 kMinExponent = -126;
  static constexpr int32 kMaxExponent = 127;
  ACC_HD static float of(uint64 bits) { return types::float_of(static_cast<uint32>(bits)); }
};

/// A number of decimal digits, a point and an exponent, without its sign; all as text, digits not looked at twice.
struct DecimalDigits {
  types::StringRef text;  ///< digits, and perhaps a point
  int32 num_digits = 0;   ///< from the first that is not 0
  int64 exponent = 0;     ///< the last digit is worth 10^exponent
};

/// Returns infinity, in the type's bits.
template <class F>
ACC_HD inline uint64 infinite_bits() {
  using Format = FloatingFormat<F>;
  return static_cast<uint64>(2 * Format::kMaxExponent + 1) << (Format::kPrecision - 1);
}

/// Rounds (mantissa * 2^exponent and perhaps a bit more) to a type's bits; the mantissa has its highest bit set.
template <class F>
ACC_HD inline uint64 rounded_bits(uint64 mantissa, int32 exponent, bool sticky) {
  using Format = FloatingFormat<F>;
  if (exponent + 63 > Format::kMaxExponent) return infinite_bits<F>();
  return types::round_to_ieee(mantissa, exponent, sticky, Format::kPrecision, Format::kMinExponent);
}

/// Takes the highest 64 bits, not all 0, and rounds.
template <class F, int N>
ACC_HD inline uint64 round_wide(const types::WideUnsigned<N>& value, int32 exponent, bool sticky) {
  int top = N - 1;
  while (top > 2 && value.limbs[top] == 0) --top;
  const uint128 high = static_cast<uint128>(value.limbs[top]) << 64 | static_cast<uint128>(value.limbs[top - 1]) << 32 |
                       value.limbs[top - 2];
  int32 shift = 0;
  while (high >> (64 + shift) != 0) ++shift;
  uint64 mantissa = static_cast<uint64>(high >> shift);
  for (int i = 0; i < top - 2; ++i) sticky |= value.limbs[i] != 0;
  sticky |= (high & ((static_cast<uint128>(1) << shift) - 1)) != 0;
  exponent += 32 * (top - 2) + shift;
  for (; mantissa >> 63 == 0; mantissa <<= 1) --exponent;
  return rounded_bits<F>(mantissa, exponent, sticky);
}

/// Rounds a number that is neither 0 nor sure to be infinite or below every subnormal.
template <class F>
ACC_HD ACC_OUTLINE inline uint64 round_digits(const DecimalDigits& number) {
  constexpr int32 kMaxDigits = 780;
  constexpr int kLimbs = 122;
  types::WideUnsigned<kLimbs> value;
  bool sticky = false;
  int32 taken = 0;
  for (int32 i = 0; i < number.text.length; ++i) {
    const char c = number.text.data[i];
    if (c == '.' || (taken == 0 && c == '0')) continue;
    if (taken == kMaxDigits) {
      sticky |= c != '0';
      continue;
    }
    value.multiply(10);
    value.add(types::WideUnsigned<kLimbs>::of(static_cast<uint128>(c - '0')));
    ++taken;
  }
  int64 exponent = number.exponent + (number.num_digits - taken);
  if (exponent >= 0) {
    value.multiply_power_of_ten(static_cast<int>(exponent));
    return round_wide<F>(value, 0, sticky);
  }
  // Moved to the top, so that the quotient has more than 64 bits.
  int32 limbs_up = 0;
  int top = kLimbs - 1;
  for (; value.limbs[top] == 0; --top) ++limbs_up;
  for (int i = kLimbs - 1; i >= 0; --i) value.limbs[i] = i >= limbs_up ? value.limbs[i - limbs_up] : 0;
  for (; exponent <= -9; exponent += 9) sticky |= value.divide(1000000000u) != 0;
  for (; exponent < 0; ++exponent) sticky |= value.divide(10u) != 0;
  return round_wide<F>(value, -32 * limbs_up, sticky);
}

/// Rounds to the nearest number of a type.
template <class F>
ACC_HD inline F nearest(const DecimalDigits& number) {
  if (number.num_digits == 0) return 0;
  const int64 magnitude = number.num_digits + number.exponent;  // below 10^magnitude, at least a tenth of it
  if (magnitude > 310) return FloatingFormat<F>::of(infinite_bits<F>());
  if (magnitude < -330) return 0;
  const bool is_short = number.num_digits <= 38 && number.exponent >= -38 && magnitude <= 38;
  if (!is_short) return FloatingFormat<F>::of(round_digits<F>(number));
  int128 value = 0;
  for (int32 i = 0; i < number.text.length; ++i) {
    if (number.text.data[i] != '.') value = value * 10 + (number.text.data[i] - '0');
  }
  if (number.exponent > 0) value *= types::power_of_ten(static_cast<int32>(number.exponent));
  return types::to_floating<F>(value, number.exponent < 0 ? static_cast<int32>(-number.exponent) : 0);
}

}  // namespace accelerant::functions
