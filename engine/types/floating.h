#pragma once

#include "base/macros.h"
#include "types/decimal.h"
#include "types/integers.h"

namespace accelerant::types {

/// Returns the bits of an IEEE number, and the number of some bits.
ACC_HD inline uint64 bits_of(double value) { return __builtin_bit_cast(uint64, value); }
ACC_HD inline double double_of(uint64 bits) { return __builtin_bit_cast(double, bits); }
ACC_HD inline float float_of(uint32 bits) { return __builtin_bit_cast(float, bits); }

ACC_HD inline bool is_finite(double value) { return value - value == 0; }

/// 2^63, the first number above every int64.
inline constexpr double kBeyondInt64 = 9223372036854775808.0;

/// Returns the number cut towards zero and to the bounds of the type; 0 for NaN: Java's conversion to int or long.
template <class Integral>
ACC_HD inline Integral saturate(double value) {
  constexpr double kBound = static_cast<double>(uint64{1} << (sizeof(Integral) * 8 - 1));
  constexpr Integral kMin = static_cast<Integral>(uint64{1} << (sizeof(Integral) * 8 - 1));
  const bool inside = value > -kBound && value < kBound;
  const Integral outside = value >= kBound ? ~kMin : value <= -kBound ? kMin : 0;
  return inside ? static_cast<Integral>(value) : outside;
}

/// Returns the number with one representation of NaN and one of zero: -0.0 + 0 is 0.0.
ACC_HD inline float normalize_nan_and_zero(float value) { return value != value ? float_of(0x7fc00000) : value + 0; }
ACC_HD inline double normalize_nan_and_zero(double value) {
  return value != value ? double_of(uint64{0x7ff8} << 48) : value + 0;
}

/// Returns the fraction of a positive number, not 0, with its highest bit at place 52, and its biased exponent, which
/// is below 1 for subnormals.
ACC_HD inline uint64 normalized_fraction(uint64 bits, int32& exponent) {
  constexpr uint64 kHighest = uint64{1} << 52;
  exponent = static_cast<int32>(bits >> 52);
  uint64 fraction = bits & (kHighest - 1);
  if (exponent > 0) return fraction | kHighest;
  for (exponent = 1; fraction < kHighest; --exponent) fraction <<= 1;
  return fraction;
}

/// Returns lhs - n * rhs, exact, n the quotient cut towards zero: C's fmod, Java's %.
ACC_HD inline double remainder(double lhs, double rhs) {
  constexpr uint64 kFraction = (uint64{1} << 52) - 1;
  uint64 x = bits_of(lhs) & ~(uint64{1} << 63);
  const uint64 y = bits_of(rhs) & ~(uint64{1} << 63);
  if (y == 0 || x >= uint64{2047} << 52 || y > uint64{2047} << 52) return (lhs * rhs) / (lhs * rhs);
  if (x < y) return lhs;
  int32 exponent = 0;
  int32 last = 0;
  uint64 rest = normalized_fraction(x, exponent);
  const uint64 divisor = normalized_fraction(y, last);
  for (; exponent > last; --exponent) rest = (rest >= divisor ? rest - divisor : rest) << 1;
  if (rest >= divisor) rest -= divisor;
  if (rest == 0) return double_of(bits_of(lhs) & uint64{1} << 63);
  for (; rest <= kFraction; --exponent) rest <<= 1;
  x = exponent > 0 ? (rest & kFraction) | static_cast<uint64>(exponent) << 52 : rest >> (1 - exponent);
  return double_of(x | (bits_of(lhs) & uint64{1} << 63));
}

/// Rounds mantissa * 2^exponent (and a bit more if `sticky`) to an IEEE number of `precision` bits whose smallest
/// normal is 2^min_exponent, to nearest, ties to even. Returns its bits without the sign. `mantissa` has its highest
/// bit set; no overflow.
ACC_HD inline uint64 round_to_ieee(uint64 mantissa, int32 exponent, bool sticky, int32 precision, int32 min_exponent) {
  int32 drop = 64 - precision;
  const int32 lowest = min_exponent - precision + 1;  // the exponent of a subnormal's last bit
  if (exponent + drop < lowest) drop = lowest - exponent;
  if (drop > 64) return 0;
  const uint64 kept = drop == 64 ? 0 : mantissa >> drop;
  const uint64 half = uint64{1} << (drop - 1);
  const uint64 dropped = drop == 64 ? mantissa : mantissa & (half * 2 - 1);
  const bool up = dropped > half || (dropped == half && (sticky || (kept & 1)));
  const int32 biased = exponent + drop - lowest;  // 0 for subnormals and the first binade
  // A carry out of the fraction moves into the exponent, as it should.
  return kept + static_cast<uint64>(up) + (static_cast<uint64>(biased) << (precision - 1));
}

/// Returns the number nearest to value / 10^scale, as java.math.BigDecimal does.
template <class F>
ACC_HD inline F to_floating(int128 value, int32 scale);

/// Finds the highest 64 bits of |value| / 10^scale, not 0, and says whether bits below them are set.
ACC_HD inline uint64 leading_bits(uint128 value, int32 scale, int32& exponent, bool& sticky) {
  WideUnsigned<10> quotient;
  for (int i = 0; i < 4; ++i) quotient.limbs[i + 6] = static_cast<uint32>(value >> (32 * i));
  sticky = quotient.divide(static_cast<uint128>(power_of_ten(scale))) != 0;
  int top = 9;
  while (quotient.limbs[top] == 0) --top;
  const uint128 high = static_cast<uint128>(quotient.limbs[top]) << 64 |
                       static_cast<uint128>(quotient.limbs[top - 1]) << 32 | quotient.limbs[top - 2];
  int32 shift = 0;
  while (high >> (64 + shift) != 0) ++shift;
  for (int i = 0; i < top - 2; ++i) sticky |= quotient.limbs[i] != 0;
  sticky |= (high & ((static_cast<uint128>(1) << shift) - 1)) != 0;
  exponent = 32 * (top - 2) - 192 + shift;
  return static_cast<uint64>(high >> shift);
}

template <>
ACC_HD inline double to_floating<double>(int128 value, int32 scale) {
  if (value == 0) return 0;
  int32 exponent = 0;
  bool sticky = false;
  const uint64 mantissa = leading_bits(magnitude(value), scale, exponent, sticky);
  const uint64 bits = round_to_ieee(mantissa, exponent, sticky, 53, -1022);
  return double_of(bits | (value < 0 ? uint64{1} << 63 : 0));
}

template <>
ACC_HD inline float to_floating<float>(int128 value, int32 scale) {
  if (value == 0) return 0;
  int32 exponent = 0;
  bool sticky = false;
  const uint64 mantissa = leading_bits(magnitude(value), scale, exponent, sticky);
  const uint64 bits = round_to_ieee(mantissa, exponent, sticky, 24, -126);
  return float_of(static_cast<uint32>(bits) | (value < 0 ? uint32{1} << 31 : 0));
}

}  // namespace accelerant::types
