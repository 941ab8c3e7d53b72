#pragma once

// Second central moments without cancellation: from exact sums of values and of products, n * sum(xy) - sum(x) * sum(y)
// is computed in integers, digit by digit, and rounded once. Order-independent as the sums are.

#include "functions/aggregate/binned_sum.h"

namespace accelerant::functions {

/// A sum that keeps 2^-120 of its largest value.
using MomentSum = BinnedSumOf<7>;

/// mantissa * 2^exponent: what may lie outside the range of double.
struct ScaledDouble {
  double mantissa;
  int32 exponent;

  /// Returns the value over a positive divisor as a double: 0 or infinite when out of range.
  ACC_HD double over(double divisor) const {
    double value = mantissa / divisor;
    int32 rest = exponent;
    while (rest != 0) {
      const int32 step = rest > 1000 ? 1000 : rest < -1000 ? -1000 : rest;
      value *= __builtin_bit_cast(double, static_cast<uint64>(step + 1023) << 52);
      rest -= step;
    }
    return value;
  }
};

/// An integer of base-2^24 digits that starts at some place of the exponent range.
class MomentDigits {
 public:
  /// Takes a sum's digits, carried, so that products of them fit.
  ACC_HD explicit MomentDigits(const MomentSum& sum) : count_(kSumDigits), lowest_(sum.lowest_place()) {
    for (int32 i = 0; i < kSumDigits; ++i) digits_[i] = i < MomentSum::kNumBins && sum.top >= 0 ? sum.bins[i] : 0;
    if (sum.top < 0) lowest_ = 0;
    MomentSum::carry(digits_, kSumDigits);
  }
  /// Takes a number of rows apart.
  ACC_HD explicit MomentDigits(int64 rows) : count_(2), lowest_(0) {
    digits_[0] = rows & ((int64(1) << MomentSum::kDigitBits) - 1);
    digits_[1] = rows >> MomentSum::kDigitBits;
  }

  ACC_HD int32 count() const { return count_; }
  ACC_HD int32 lowest() const { return lowest_; }
  ACC_HD int64 operator[](int32 i) const { return digits_[i]; }

 private:
  /// Two more than bins, for what up to 2^38 rows carry.
  static constexpr int32 kSumDigits = MomentSum::kNumBins + 2;

  int64 digits_[kSumDigits];
  int32 count_;
  int32 lowest_;
};

/// Accumulates products of digits over the highest places that they reach.
class MomentWindow {
 public:
  /// @param highest the highest place that is needed
  ACC_HD explicit MomentWindow(int32 highest) : lowest_(highest + 1 - kPlaces) {
    for (int32 i = 0; i < kPlaces; ++i) digits_[i] = 0;
  }

  ACC_HD static int32 highest_place(const MomentDigits& lhs, const MomentDigits& rhs) {
    return lhs.lowest() + rhs.lowest() + lhs.count() + rhs.count();
  }

  ACC_HD void add_product(const MomentDigits& lhs, const MomentDigits& rhs, int64 sign) {
    for (int32 i = 0; i < lhs.count(); ++i) {
      for (int32 j = 0; j < rhs.count(); ++j) {
        const int32 at = lhs.lowest() + i + rhs.lowest() + j - lowest_;
        if (at >= 0) digits_[at] += sign * lhs[i] * rhs[j];
      }
    }
  }

  /// Rounds to a double and an exponent; places count from twice MomentSum::kLowestExponent.
  ACC_HD ScaledDouble round() {
    const bool negative = MomentSum::carry(digits_, kPlaces);
    if (negative) {
      for (int32 i = 0; i < kPlaces; ++i) digits_[i] = -digits_[i];
      MomentSum::carry(digits_, kPlaces);
    }
    int32 highest = kPlaces - 1;
    while (highest > 0 && digits_[highest] == 0) --highest;
    double mantissa = 0;
    for (int32 i = highest > kRoundedPlaces ? highest - kRoundedPlaces : 0; i < highest; ++i) {
      mantissa = (mantissa + static_cast<double>(digits_[i])) * kOverDigit;
    }
    mantissa += static_cast<double>(digits_[highest]);
    return {negative ? -mantissa : mantissa,
            (lowest_ + highest) * MomentSum::kDigitBits + 2 * MomentSum::kLowestExponent};
  }

 private:
  /// Wide enough for both products, whose highest places are at most a few apart.
  static constexpr int32 kPlaces = 28;
  /// Digits below the highest that a double can tell.
  static constexpr int32 kRoundedPlaces = 4;
  static constexpr double kOverDigit = 1.0 / (int64(1) << MomentSum::kDigitBits);

  int64 digits_[kPlaces];
  int32 lowest_;
};

/// Returns n * sum(xy) - sum(x) * sum(y): n^2 times the population covariance.
ACC_HD inline ScaledDouble scaled_comoment(const MomentSum& x, const MomentSum& y, const MomentSum& xy) {
  const MomentDigits rows(x.count);
  const MomentDigits x_digits(x);
  const MomentDigits y_digits(y);
  const MomentDigits xy_digits(xy);
  const int32 of_sums = MomentWindow::highest_place(x_digits, y_digits);
  const int32 of_products = MomentWindow::highest_place(rows, xy_digits);
  MomentWindow window(of_sums > of_products ? of_sums : of_products);
  window.add_product(rows, xy_digits, 1);
  window.add_product(x_digits, y_digits, -1);
  return window.round();
}

}  // namespace accelerant::functions
