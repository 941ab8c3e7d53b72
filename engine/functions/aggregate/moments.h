#pragma once

#include "functions/aggregate/definition.h"
#include "functions/aggregate/moment_digits.h"

namespace accelerant::functions {

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

/// Divides as Spark does; notes in `error` where that is by zero.
ACC_HD inline types::Nullable<double> divided(double dividend, double divisor, uint8& error) {
  if (divisor == 0) error |= kDivideByZero | kNeedsSpark;
  return {divisor == 0 ? 0 : dividend / divisor, divisor != 0};
}

/// What moments' classes in Spark say beside their arguments.
inline constexpr AggregateFlag kNullOnDivideByZero = {"nullOnDivideByZero", &AggregateOptions::null_on_divide_by_zero};

/// What moments of one argument, and of two, take and give.
using OneDouble = SignatureList<Signature<types::DoubleType, types::DoubleType>>;
using TwoDoubles = SignatureList<Signature<types::DoubleType, types::DoubleType, types::DoubleType>>;

}  // namespace accelerant::functions
