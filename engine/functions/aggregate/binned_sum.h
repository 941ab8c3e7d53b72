#pragma once

// Order-independent summation of doubles. A value is cut into base-2^24 digits at fixed places of the exponent range;
// each place is added up in an int64 of its own, without carries, so that neither order nor grouping matters. Only the
// NumBins highest places that any value reaches are kept: of NumBins = 5, what is dropped is below 2^-72 of the largest
// value, a row; each further bin takes off another 2^-24.
// After the idea of binned summation in Demmel and Nguyen, "Parallel Reproducible Summation" (2015).

#include "functions/aggregate/state_columns.h"

namespace accelerant::functions {

template <class Sum>
struct BinnedSumWords;

/// The sum of finite values, and what else was met. The same for every order of updates and merges. Up to 2^38 values.
template <int32 NumBins>
struct BinnedSumOf {
  static constexpr int32 kDigitBits = 24;
  static constexpr int32 kNumBins = NumBins;
  /// The exponent of the lowest bit of the smallest subnormal.
  static constexpr int32 kLowestExponent = -1074;
  /// A value's 53 bits, shifted by up to 23, reach over this many places.
  static constexpr int32 kDigitsPerValue = 4;
  static constexpr int64 kDigitMask = (int64(1) << kDigitBits) - 1;
  static_assert(kNumBins >= kDigitsPerValue, "all digits of the largest value are kept");
  /// Places that digits of doubles are at: the largest one's mantissa is shifted by 2045 bits.
  static constexpr int32 kNumPlaces = 2045 / kDigitBits + kDigitsPerValue;

  /// A finite value is mantissa * 2^(kLowestExponent + exponent).
  struct Parts {
    int64 mantissa;
    int32 exponent;
    bool finite;
  };
  /// The digits of a number, lowest first, which is at `place`.
  struct Digits {
    int32 place;
    int64 digits[kDigitsPerValue];
  };

  int64 bins[kNumBins];  ///< bins[i] holds place `top - kNumBins + 1 + i`
  int32 top;             ///< highest place met, or -1
  bool has_nan;
  bool has_positive_infinity;
  bool has_negative_infinity;
  int64 count;  ///< values added, special ones included

  using Words = BinnedSumWords<BinnedSumOf>;
  using Columns = StateColumns<Column<&BinnedSumOf::bins>, Column<&BinnedSumOf::top>, Column<&BinnedSumOf::has_nan>,
                               Column<&BinnedSumOf::has_positive_infinity>, Column<&BinnedSumOf::has_negative_infinity>,
                               Column<&BinnedSumOf::count, Combine::NumRows>>;

  ACC_HD static BinnedSumOf init() { return {{}, -1, false, false, false, 0}; }

  ACC_HD void update(double value) {
    ++count;
    const Parts parts = split(value);
    if (!parts.finite) return note_special(__builtin_bit_cast(uint64, value));
    add(parts.mantissa, parts.exponent);
  }

  /// Adds the exact product of two finite values; such a sum's places count from twice kLowestExponent, and `value` is
  /// not for it.
  ACC_HD void update_product(double lhs, double rhs) {
    ++count;
    const Parts left = split(lhs);
    const Parts right = split(rhs);
    const int128 product = static_cast<int128>(left.mantissa) * right.mantissa;
    const uint128 magnitude = static_cast<uint128>(product < 0 ? -product : product);
    const auto low = static_cast<int64>(magnitude & ((uint64(1) << 53) - 1));
    const auto high = static_cast<int64>(magnitude >> 53);
    const int32 exponent = left.exponent + right.exponent;
    add(product < 0 ? -low : low, exponent);
    add(product < 0 ? -high : high, exponent + 53);
  }

  /// Adds mantissa * 2^exponent, where 0 stands for the lowest exponent.
  /// @param mantissa of at most 53 bits
  /// @param exponent at least 0
  ACC_HD void add(int64 mantissa, int32 exponent) {
    if (mantissa == 0) return;
    const Digits cut = cut_into_digits(mantissa, exponent);
    raise_top(cut.place + kDigitsPerValue - 1);
    const int32 bin = cut.place - lowest_place();
    // Most values are near enough to the largest that all of their digits are kept.
    if (bin >= 0) {
      for (int32 digit = 0; digit < kDigitsPerValue; ++digit) bins[bin + digit] += cut.digits[digit];
      return;
    }
    for (int32 digit = 1; digit < kDigitsPerValue; ++digit) {
      if (bin + digit >= 0) bins[bin + digit] += cut.digits[digit];
    }
  }

  ACC_HD void merge(const BinnedSumOf& other) {
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
    const bool negative = carry(digits, kNumBins);
    if (negative) {
      for (int32 i = 0; i < kNumBins; ++i) digits[i] = -bins[i];
      carry(digits, kNumBins);
    }
    double sum = 0;
    for (int32 i = 0; i < kNumBins; ++i) {
      const int32 exponent = (lowest_place() + i) * kDigitBits + kLowestExponent;
      if (digits[i] != 0) sum += scale(static_cast<double>(digits[i]), exponent);
    }
    return negative ? -sum : sum;
  }

  /// The place of bins[0].
  ACC_HD int32 lowest_place() const { return top - kNumBins + 1; }
  ACC_HD bool is_finite() const { return !has_nan && !has_positive_infinity && !has_negative_infinity; }

  /// Carries among `n` digits, so that all but the highest are in [0, 2^24). Says whether the whole is negative.
  ACC_HD static bool carry(int64* digits, int32 n) {
    for (int32 i = 0; i + 1 < n; ++i) {
      const int64 carried = digits[i] >> kDigitBits;
      digits[i] -= carried << kDigitBits;
      digits[i + 1] += carried;
    }
    return digits[n - 1] < 0;
  }

  ACC_HD static Parts split(double value) {
    const uint64 bits = __builtin_bit_cast(uint64, value);
    const int32 biased = static_cast<int32>(bits >> 52) & 0x7ff;
    const int64 fraction = static_cast<int64>(bits & ((uint64(1) << 52) - 1)) | (int64(biased != 0) << 52);
    return {static_cast<int64>(bits) < 0 ? -fraction : fraction, biased == 0 ? 0 : biased - 1, biased != 0x7ff};
  }

  /// Cuts what `add` takes. The highest digit keeps the sign; the others count upwards from it.
  ACC_HD static Digits cut_into_digits(int64 mantissa, int32 exponent) {
    const int32 place = static_cast<int32>(static_cast<uint32>(exponent) / kDigitBits);
    const int32 shift = exponent - place * kDigitBits;
    // The lower two digits and the upper two of mantissa << shift, which itself has too many bits for 64.
    const auto low = static_cast<int64>(static_cast<uint64>(mantissa) << shift);
    const int64 high = mantissa >> (2 * kDigitBits - shift);
    return {place, {low & kDigitMask, low >> kDigitBits & kDigitMask, high & kDigitMask, high >> kDigitBits}};
  }

  /// Notes that there was a value of these bits, which is not finite.
  ACC_HD void note_special(uint64 bits) {
    const bool is_nan = (bits << 12) != 0;
    has_nan |= is_nan;
    has_positive_infinity |= !is_nan && static_cast<int64>(bits) >= 0;
    has_negative_infinity |= !is_nan && static_cast<int64>(bits) < 0;
  }

 private:
  /// Makes `place` the top unless a higher one is, dropping the lowest bins.
  ACC_HD void raise_top(int32 place) {
    if (place <= top) return;
    const int32 shift = top < 0 || place - top > kNumBins ? kNumBins : place - top;
    for (int32 i = 0; i < kNumBins; ++i) bins[i] = i + shift < kNumBins ? bins[i + shift] : 0;
    top = place;
  }

  ACC_HD static double from_bits(uint64 bits) { return __builtin_bit_cast(double, bits); }

  /// Returns value * 2^exponent; in two steps, as 2^exponent alone may be out of range.
  ACC_HD static double scale(double value, int32 exponent) {
    const int32 half = exponent / 2;
    return value * power_of_two(half) * power_of_two(exponent - half);
  }

  ACC_HD static double power_of_two(int32 exponent) { return from_bits(static_cast<uint64>(exponent + 1023) << 52); }
};

/// State of Sum and Average over float and double. The result's distance to the exact sum is at most one unit in the
/// last place plus n * 2^-72 of the largest magnitude, for n rows.
///
/// Spark: aggregate.Sum, aggregate.Average (which add in row order, so that last digits may differ).
using BinnedSum = BinnedSumOf<5>;

}  // namespace accelerant::functions

#include "functions/aggregate/binned_sum_words.h"
