#pragma once

#include "functions/aggregate/moment_numbers.h"
#include "functions/aggregate/moments.h"

namespace accelerant::functions {

/// The exact powers of a finite value, as digits to the base 2^53.
template <int32 kMostPower>
class Powers {
 public:
  ACC_HD explicit Powers(double value) : parts_(PowerSum::split(value)) {
    magnitude_ = static_cast<uint64>(parts_.mantissa < 0 ? -parts_.mantissa : parts_.mantissa);
    digits_[0] = magnitude_;
  }

  ACC_HD bool is_finite() const { return parts_.finite; }

  /// Adds the next power to a sum; the first one is the value itself.
  ACC_HD void add_next(PowerSum& sum) {
    if (power_ > 0) multiply();
    ++power_;
    ++sum.count;
    const bool negative = parts_.mantissa < 0 && power_ % 2 == 1;
    for (int32 i = 0; i < power_; ++i) {
      const auto digit = static_cast<int64>(digits_[i]);
      sum.add(negative ? -digit : digit, power_ * parts_.exponent + i * kDigitBits);
    }
  }

 private:
  static constexpr int32 kDigitBits = 53;

  ACC_HD void multiply() {
    uint64 carried = 0;
    for (int32 i = 0; i < power_; ++i) {
      const uint128 product = static_cast<uint128>(digits_[i]) * magnitude_ + carried;
      digits_[i] = static_cast<uint64>(product) & ((uint64{1} << kDigitBits) - 1);
      carried = static_cast<uint64>(product >> kDigitBits);
    }
    digits_[power_] = carried;
  }

  PowerSum::Parts parts_;
  uint64 magnitude_;
  uint64 digits_[kMostPower];
  int32 power_ = 0;
};

/// State of Skewness: sums of values, squares and cubes. A value that is not finite makes the result NaN.
///
/// Spark: aggregate.CentralMomentAgg, which updates mean and moments row by row, so that last digits may differ.
struct CubeSums {
  PowerSum x;
  PowerSum x2;
  PowerSum x3;

  using Columns = StateColumns<Column<&CubeSums::x>, Column<&CubeSums::x2>, Column<&CubeSums::x3>>;

  ACC_HD static CubeSums init() { return {PowerSum::init(), PowerSum::init(), PowerSum::init()}; }

  ACC_HD void update(double value) {
    Powers<3> powers(value);
    if (!powers.is_finite()) return x.update(value);
    add(powers);
  }

  template <class Next>
  ACC_HD void add(Next& powers) {
    powers.add_next(x);
    powers.add_next(x2);
    powers.add_next(x3);
  }

  ACC_HD void merge(const CubeSums& other) {
    x.merge(other.x);
    x2.merge(other.x2);
    x3.merge(other.x3);
  }

  ACC_HD int64 count() const { return x.count; }
  ACC_HD bool is_finite() const { return x.is_finite(); }
};

/// State of Kurtosis: fourth powers as well.
struct FourthPowerSums {
  CubeSums lower;
  PowerSum x4;

  using Columns = StateColumns<Column<&FourthPowerSums::lower>, Column<&FourthPowerSums::x4>>;

  ACC_HD static FourthPowerSums init() { return {CubeSums::init(), PowerSum::init()}; }

  ACC_HD void update(double value) {
    Powers<4> powers(value);
    if (!powers.is_finite()) return lower.x.update(value);
    lower.add(powers);
    powers.add_next(x4);
  }

  ACC_HD void merge(const FourthPowerSums& other) {
    lower.merge(other.lower);
    x4.merge(other.x4);
  }
};

/// The second and third central moments of finite values, each times the number of rows, and what they are made of.
struct CentralMoments {
  MomentNumber rows;
  MomentNumber x;
  MomentNumber variance;  ///< rows * sum(x^2) - sum(x)^2
  MomentNumber skew;      ///< rows * (rows * sum(x^3) - sum(x) * sum(x^2)) - sum(x) * variance
  double m2;
  double m3;

  /// @param sums of at least one value
  ACC_HD explicit CentralMoments(const CubeSums& sums) : rows(sums.count()), x(sums.x, 1), variance(rows), skew(rows) {
    const MomentNumber x2(sums.x2, 2);
    variance = rows * x2 - x * x;
    skew = rows * (rows * MomentNumber(sums.x3, 3) - x * x2) - x * variance;
    m2 = variance.over(sums.count(), 1);
    m3 = (skew - x * variance).over(sums.count(), 2);
  }

  /// Returns the fourth central moment times the number of rows.
  ACC_HD double m4(const FourthPowerSums& sums) const {
    const MomentNumber products = rows * MomentNumber(sums.x4, 4) - x * MomentNumber(sums.lower.x3, 3);
    return (rows * rows * products - MomentNumber(3) * x * skew).over(sums.lower.count(), 3);
  }
};

}  // namespace accelerant::functions
