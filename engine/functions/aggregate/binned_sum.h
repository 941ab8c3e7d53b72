#pragma once

// Order-independent summation of doubles. A value is cut into base-2^24 digits at fixed places of the exponent range;
// each place is added up in an int64 of its own, without carries, so that neither order nor grouping matters. Only the
// kNumBins highest places that any value reaches are kept: what is dropped is below 2^-72 of the largest value, a row.
// After the idea of binned summation in Demmel and Nguyen, "Parallel Reproducible Summation" (2015).

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::functions {

/// State of Sum and Average over float and double: the sum of finite values, and what else was met. The result is the
/// same for every order of updates and merges; its distance to the exact sum is at most one unit in the last place plus
/// n * 2^-72 of the largest magnitude, for n rows. Up to 2^38 values.
///
/// Spark: aggregate.Sum, aggregate.Average (which add in row order, so that last digits may differ).
struct BinnedSum {
  static constexpr int32 kDigitBits = 24;
  static constexpr int32 kNumBins = 5;
  /// The exponent of the lowest bit of the smallest subnormal.
  static constexpr int32 kLowestExponent = -1074;
  /// A value's 53 bits, shifted by up to 23, reach over this many places.
  static constexpr int32 kDigitsPerValue = 4;

  int64 bins[kNumBins];  ///< bins[i] holds place `top - kNumBins + 1 + i`
  int32 top;             ///< highest place met, or -1
  bool has_nan;
  bool has_positive_infinity;
  bool has_negative_infinity;
  int64 count;  ///< values added, special ones included

  ACC_HD static BinnedSum init() { return {{0, 0, 0, 0, 0}, -1, false, false, false, 0}; }

  ACC_HD void update(double value) {
    ++count;
    const uint64 bits = __builtin_bit_cast(uint64, value);
    const int32 biased = static_cast<int32>(bits >> 52) & 0x7ff;
    if (biased == 0x7ff) return update_special(bits);
    const int64 fraction = static_cast<int64>(bits & ((uint64(1) << 52) - 1)) | (int64(biased != 0) << 52);
    if (fraction == 0) return;
    const int64 mantissa = static_cast<int64>(bits) < 0 ? -fraction : fraction;
    const int32 exponent = biased == 0 ? 0 : biased - 1;  // above kLowestExponent
    const int32 place = exponent / kDigitBits;
    raise_top(place + kDigitsPerValue - 1);
    int128 rest = static_cast<int128>(mantissa) << (exponent % kDigitBits);
    for (int32 digit = 0; digit < kDigitsPerValue; ++digit) {
      const int32 bin = place + digit - (top - kNumBins + 1);
      // The highest digit keeps the sign; the others count upwards from it.
      const bool highest = digit == kDigitsPerValue - 1;
      const int64 part = highest ? static_cast<int64>(rest) : static_cast<int64>(rest) & ((int64(1) << kDigitBits) - 1);
      if (bin >= 0) bins[bin] += part;
      rest >>= kDigitBits;
    }
  }

  ACC_HD void merge(const BinnedSum& other) {
    count += other.count;
    has_nan |= other.has_nan;
    has_positive_infinity |= other.has_positive_infinity;
    has_negative_infinity |= other.has_negative_infinity;
    if (other.top < 0) return;
    raise_top(other.top);
    for (int32 i = 0; i < kNumBins; ++i) {
      const int32 bin = i + other.top - top;
      if (bin >= 0) bins[bin] += other.bins[i];
    }
  }

  /// The sum; 0.0 of no values.
  ACC_HD double value() const {
    if (has_nan || (has_positive_infinity && has_negative_infinity)) return from_bits(uint64(0x7ff8) << 48);
    if (has_positive_infinity) return from_bits(uint64(0x7ff0) << 48);
    if (has_negative_infinity) return from_bits(uint64(0xfff0) << 48);
    int64 digits[kNumBins];
    for (int32 i = 0; i < kNumBins; ++i) digits[i] = bins[i];
    const bool negative = carry(digits);
    if (negative) {
      for (int32 i = 0; i < kNumBins; ++i) digits[i] = -bins[i];
      carry(digits);
    }
    double sum = 0;
    for (int32 i = 0; i < kNumBins; ++i) {
      const int32 exponent = (top - kNumBins + 1 + i) * kDigitBits + kLowestExponent;
      if (digits[i] != 0) sum += scale(static_cast<double>(digits[i]), exponent);
    }
    return negative ? -sum : sum;
  }

 private:
  ACC_HD void update_special(uint64 bits) {
    const bool is_nan = (bits << 12) != 0;
    has_nan |= is_nan;
    has_positive_infinity |= !is_nan && static_cast<int64>(bits) >= 0;
    has_negative_infinity |= !is_nan && static_cast<int64>(bits) < 0;
  }

  /// Makes `place` the top unless a higher one is, dropping the lowest bins.
  ACC_HD void raise_top(int32 place) {
    if (place <= top) return;
    const int32 shift = top < 0 || place - top > kNumBins ? kNumBins : place - top;
    for (int32 i = 0; i < kNumBins; ++i) bins[i] = i + shift < kNumBins ? bins[i + shift] : 0;
    top = place;
  }

  /// Carries, so that all digits but the highest are in [0, 2^24). Says whether the whole is negative.
  ACC_HD static bool carry(int64* digits) {
    for (int32 i = 0; i + 1 < kNumBins; ++i) {
      const int64 carried = digits[i] >> kDigitBits;
      digits[i] -= carried << kDigitBits;
      digits[i + 1] += carried;
    }
    return digits[kNumBins - 1] < 0;
  }

  ACC_HD static double from_bits(uint64 bits) { return __builtin_bit_cast(double, bits); }

  /// Returns value * 2^exponent; in two steps, as 2^exponent alone may be out of range.
  ACC_HD static double scale(double value, int32 exponent) {
    const int32 half = exponent / 2;
    return value * power_of_two(half) * power_of_two(exponent - half);
  }

  ACC_HD static double power_of_two(int32 exponent) { return from_bits(static_cast<uint64>(exponent + 1023) << 52); }
};

}  // namespace accelerant::functions
