#pragma once

#include "types/floating.h"
#include "types/wide_integer.h"

/// What goes into writing floating-point numbers, and what comes out.
namespace accelerant::functions {

/// The digits of a number: 0.d1d2d3... * 10^exponent.
struct JavaDigits {
  static constexpr int32 kMaxDigits = 20;

  char digits[kMaxDigits] = {};  ///< '0' to '9'
  int32 count = 0;
  int32 exponent = 0;

  ACC_HD void add(int32 digit) {
    if (count < kMaxDigits) digits[count++] = static_cast<char>('0' + digit);
  }

  /// Returns the first digits, at most 38, as a whole number, rounded by the next one; halves go up.
  ACC_HD int128 leading(int32 wanted) const {
    if (wanted < 0) return 0;
    int128 value = 0;
    for (int32 i = 0; i < wanted; ++i) value = value * 10 + (i < count ? digits[i] - '0' : 0);
    return value + (wanted < count && digits[wanted] >= '5');
  }

  /// Adds one to the last digit, and carries.
  ACC_HD void round_up() {
    int32 at = count - 1;
    for (; at > 0 && digits[at] == '9'; --at) digits[at] = '0';
    if (digits[at] == '9') {
      digits[at] = '0';
      ++exponent;
    }
    ++digits[at];
  }
};

/// A positive number: fraction * 2^(exponent - 52), the fraction's highest bit at place 52.
struct BinaryNumber {
  uint64 fraction;
  int32 exponent;
  int32 precision;  ///< bits of the fraction that the type has at that size

  ACC_HD static BinaryNumber of(double value) { return of(value, 53, -1022); }
  ACC_HD static BinaryNumber of(float value) { return of(value, 24, -126); }

 private:
  ACC_HD static BinaryNumber of(double value, int32 precision, int32 min_exponent) {
    int32 exponent = 0;
    const uint64 fraction = types::normalized_fraction(types::bits_of(value), exponent);
    exponent -= 1023;
    return {fraction, exponent, exponent < min_exponent ? precision - (min_exponent - exponent) : precision};
  }
};

/// Limbs that hold every intermediate, all below 2^1140, and those of numbers near 1; the highest one stays 0.
inline constexpr int kManyLimbs = 37;
inline constexpr int kFewLimbs = 7;

template <int N>
ACC_HD ACC_OUTLINE inline types::WideUnsigned<N> wide_scaled(uint64 value, int32 fives, int32 twos) {
  auto result = types::WideUnsigned<N>::of(value);
  for (; fives >= 13; fives -= 13) result.multiply(1220703125u);
  for (; fives > 0; --fives) result.multiply(5u);
  for (; twos >= 31; twos -= 31) result.multiply(uint32{1} << 31);
  result.multiply(uint32{1} << twos);
  return result;
}

/// Takes numerator / denominator, below 10, off the numerator.
template <int N>
ACC_HD ACC_OUTLINE inline int32 take_digit(types::WideUnsigned<N>& numerator,
                                           const types::WideUnsigned<N>& denominator) {
  // The highest limbs tell it, or one less.
  int top = N - 2;
  while (top > 1 && denominator.limbs[top] == 0) --top;
  const uint128 high = static_cast<uint128>(numerator.limbs[top + 1]) << 64 |
                       static_cast<uint64>(numerator.limbs[top]) << 32 | numerator.limbs[top - 1];
  const uint64 divisor = static_cast<uint64>(denominator.limbs[top]) << 32 | denominator.limbs[top - 1];
  auto digit = static_cast<int32>(high / (static_cast<uint128>(divisor) + 1));
  if (digit > 0) {
    types::WideUnsigned<N> multiple = denominator;
    multiple.multiply(static_cast<uint32>(digit));
    numerator.subtract(multiple);
  }
  for (; numerator.compare(denominator) >= 0; ++digit) numerator.subtract(denominator);
  return digit;
}

}  // namespace accelerant::functions
