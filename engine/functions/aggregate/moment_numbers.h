#pragma once

// Numbers of many digits, in which third and fourth central moments are computed from exact sums of powers and rounded
// once.

#include "functions/aggregate/moment_digits.h"

namespace accelerant::functions {

/// A sum of powers that keeps 2^-240 of its largest value.
using PowerSum = BinnedSumOf<12>;

/// A number: digits to the base 2^24, lowest first, of which only the highest has a sign, times 2^exponent. Of more
/// than kMostDigits the lowest are dropped.
class MomentNumber {
 public:
  ACC_HD explicit MomentNumber(int64 value) : count_(kDigitsOfInt64), exponent_(0) {
    for (int32 i = 0; i < kDigitsOfInt64; ++i) digits_[i] = value >> (i * kDigitBits) & kDigitMask;
    digits_[kDigitsOfInt64 - 1] = value >> ((kDigitsOfInt64 - 1) * kDigitBits);
    trim();
  }

  /// Takes over a sum of powers of values.
  template <int32 NumBins>
  ACC_HD MomentNumber(const BinnedSumOf<NumBins>& sum, int32 power) : count_(NumBins + kCarriedDigits) {
    exponent_ = sum.lowest_place() * kDigitBits + power * PowerSum::kLowestExponent;
    for (int32 i = 0; i < count_; ++i) digits_[i] = i < NumBins && sum.top >= 0 ? sum.bins[i] : 0;
    PowerSum::carry(digits_, count_);
    trim();
  }

  ACC_HD friend MomentNumber operator*(const MomentNumber& lhs, const MomentNumber& rhs) {
    int64 products[2 * kMostDigits] = {};
    for (int32 i = 0; i < lhs.count_; ++i) {
      for (int32 j = 0; j < rhs.count_; ++j) products[i + j] += lhs.digits_[i] * rhs.digits_[j];
    }
    PowerSum::carry(products, lhs.count_ + rhs.count_);
    return MomentNumber(products, lhs.count_ + rhs.count_, lhs.exponent_ + rhs.exponent_);
  }

  /// @param rhs its exponent is a multiple of kDigitBits away
  ACC_HD friend MomentNumber operator-(const MomentNumber& lhs, const MomentNumber& rhs) {
    if (rhs.is_zero()) return lhs;
    if (lhs.is_zero()) return MomentNumber(-1) * rhs;
    const int32 highest = lhs.highest() > rhs.highest() ? lhs.highest() : rhs.highest();
    const int32 least = lhs.exponent_ < rhs.exponent_ ? lhs.exponent_ : rhs.exponent_;
    const int32 from_highest = highest - (2 * kMostDigits - 1) * kDigitBits;
    const int32 lowest = least < from_highest ? from_highest : least;
    int64 digits[2 * kMostDigits] = {};
    lhs.add_to(digits, lowest, 1);
    rhs.add_to(digits, lowest, -1);
    const int32 count = (highest - lowest) / kDigitBits + 1;
    PowerSum::carry(digits, count);
    return MomentNumber(digits, count, lowest);
  }

  ACC_HD bool is_zero() const { return count_ == 1 && digits_[0] == 0; }

  ACC_HD ScaledDouble round() const {
    double mantissa = 0;
    const int32 highest = count_ - 1;
    for (int32 i = highest > kRoundedDigits ? highest - kRoundedDigits : 0; i < highest; ++i) {
      mantissa = (mantissa + static_cast<double>(digits_[i])) / (kDigitMask + 1);
    }
    return {mantissa + static_cast<double>(digits_[highest]), exponent_ + highest * kDigitBits};
  }

  /// Rounds the number over a power of a number of rows.
  ACC_HD double over(int64 rows, int32 power) const {
    ScaledDouble rounded = round();
    const auto divisor = static_cast<double>(rows);
    for (int32 i = 1; i < power; ++i) rounded.mantissa /= divisor;
    return rounded.over(divisor);
  }

 private:
  static constexpr int32 kDigitBits = PowerSum::kDigitBits;
  static constexpr int64 kDigitMask = PowerSum::kDigitMask;
  static constexpr int32 kDigitsOfInt64 = 3;
  /// More than bins, for what up to 2^38 rows carry.
  static constexpr int32 kCarriedDigits = 2;
  static constexpr int32 kMostDigits = 48;
  /// Digits below the highest that a double can tell.
  static constexpr int32 kRoundedDigits = 4;

  /// Takes carried digits, and drops the lowest of too many.
  ACC_HD MomentNumber(const int64* digits, int32 count, int32 exponent) {
    while (count > 1 && digits[count - 1] == 0) --count;
    const int32 dropped = count > kMostDigits ? count - kMostDigits : 0;
    count_ = count - dropped;
    exponent_ = exponent + dropped * kDigitBits;
    for (int32 i = 0; i < count_; ++i) digits_[i] = digits[dropped + i];
    trim();
  }

  /// The exponent past the highest digit, for what a difference carries.
  ACC_HD int32 highest() const { return exponent_ + count_ * kDigitBits; }

  ACC_HD void add_to(int64* digits, int32 lowest, int64 sign) const {
    for (int32 i = 0; i < count_; ++i) {
      const int32 at = (exponent_ - lowest) / kDigitBits + i;
      if (at >= 0) digits[at] += sign * digits_[i];
    }
  }

  /// Drops highest digits that say nothing but the sign.
  ACC_HD void trim() {
    while (count_ > 1 && (digits_[count_ - 1] == 0 || digits_[count_ - 1] == -1)) {
      digits_[count_ - 2] += digits_[count_ - 1] * (kDigitMask + 1);
      --count_;
    }
  }

  int64 digits_[kMostDigits];
  int32 count_;
  int32 exponent_;
};

}  // namespace accelerant::functions
