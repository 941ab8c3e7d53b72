#pragma once

// Second central moments without cancellation: from exact sums of values and of products, n * sum(xy) - sum(x) * sum(y)
// is computed in integers, digit by digit, and rounded once. Order-independent as the sums are.

#include "functions/aggregate/binned_sum.h"
#include "functions/aggregate/definition.h"

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
  /// Of a sum: carried, so that products of digits fit.
  ACC_HD explicit MomentDigits(const MomentSum& sum) : count_(kSumDigits), lowest_(sum.lowest_place()) {
    for (int32 i = 0; i < kSumDigits; ++i) digits_[i] = i < MomentSum::kNumBins && sum.top >= 0 ? sum.bins[i] : 0;
    if (sum.top < 0) lowest_ = 0;
    MomentSum::carry(digits_, kSumDigits);
  }
  /// Of a number of rows.
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

/// State of VariancePop, VarianceSamp, StddevPop and StddevSamp. A value that is not finite makes the result NaN.
///
/// Spark: aggregate.CentralMomentAgg, which updates mean and moment row by row, so that last digits may differ.
struct Variance {
  MomentSum x;
  MomentSum xx;

  using Columns = StateColumns<Column<&Variance::x>, Column<&Variance::xx>>;

  ACC_HD static Variance init() { return {MomentSum::init(), MomentSum::init()}; }

  ACC_HD void update(double value) {
    x.update(value);
    if (x.is_finite()) xx.update_product(value, value);
  }

  ACC_HD void merge(const Variance& other) {
    x.merge(other.x);
    xx.merge(other.xx);
  }

  ACC_HD int64 count() const { return x.count; }
  ACC_HD bool is_finite() const { return x.is_finite(); }
  /// n times the sum of squared distances to the mean.
  ACC_HD ScaledDouble moment() const { return scaled_comoment(x, x, xx); }
};

/// State of CovPopulation, CovSample and Corr over pairs of which neither is null.
///
/// Spark: aggregate.Covariance, aggregate.PearsonCorrelation, which update row by row, so that last digits may differ.
struct Covariance {
  Variance x;
  Variance y;
  MomentSum xy;

  using Columns = StateColumns<Column<&Covariance::x>, Column<&Covariance::y>, Column<&Covariance::xy>>;

  ACC_HD static Covariance init() { return {Variance::init(), Variance::init(), MomentSum::init()}; }

  ACC_HD void update(double x_value, double y_value) {
    x.update(x_value);
    y.update(y_value);
    if (is_finite()) xy.update_product(x_value, y_value);
  }

  ACC_HD void merge(const Covariance& other) {
    x.merge(other.x);
    y.merge(other.y);
    xy.merge(other.xy);
  }

  ACC_HD int64 count() const { return x.count(); }
  ACC_HD bool is_finite() const { return x.is_finite() && y.is_finite(); }
  /// n times the sum of products of distances to the means.
  ACC_HD ScaledDouble moment() const { return scaled_comoment(x.x, y.x, xy); }
};

/// Over how many rows a moment is taken.
enum class MomentOf : uint8 { Population, Sample };

ACC_HD inline double not_a_number() { return __builtin_bit_cast(double, uint64{0x7ff8} << 48); }

/// Returns the moment of Variance or Covariance over the number of rows, or one less for samples; or null.
template <MomentOf kOf, class State>
ACC_HD types::Nullable<double> mean_moment(const State& state, const AggregateContext& context) {
  const auto rows = static_cast<double>(state.count());
  if (rows == 0) return {0, false};
  if (kOf == MomentOf::Sample && rows == 1) return {not_a_number(), !context.options.null_on_divide_by_zero};
  if (!state.is_finite()) return {not_a_number(), true};
  ScaledDouble moment = state.moment();
  moment.mantissa /= rows;
  return {moment.over(kOf == MomentOf::Sample ? rows - 1 : rows), true};
}

/// Returns the root of what is not null.
ACC_HD inline types::Nullable<double> root_of(types::Nullable<double> value) {
  return {value.valid ? ACC_SQUARE_ROOT(value.value) : 0, value.valid};
}

/// What moments' classes in Spark say beside their arguments.
inline constexpr AggregateFlag kNullOnDivideByZero = {"nullOnDivideByZero", &AggregateOptions::null_on_divide_by_zero};

/// What moments of one argument, and of two, take and give.
using OneDouble = SignatureList<Signature<types::DoubleType, types::DoubleType>>;
using TwoDoubles = SignatureList<Signature<types::DoubleType, types::DoubleType, types::DoubleType>>;

}  // namespace accelerant::functions
