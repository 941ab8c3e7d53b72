#pragma once

#include "functions/aggregate/moment_numbers.h"
#include "functions/aggregate/moments.h"

namespace accelerant::functions {

/// State of RegrSlope, RegrIntercept and RegrR2 over pairs of the dependent value and the independent one, in Spark's
/// order of arguments.
using Regression = Covariance;

ACC_HD inline const Variance& dependent_side(const Regression& state) { return state.x; }
ACC_HD inline const Variance& independent_side(const Regression& state) { return state.y; }

/// Returns the sum of squared distances to the mean; NaN where a value is not finite.
ACC_HD inline double squared_distances(const Variance& side) {
  return side.is_finite() ? side.moment().over(static_cast<double>(side.count())) : not_a_number();
}

/// Returns the sum of products of distances to the means; NaN where a value is not finite.
ACC_HD inline double distance_products(const Regression& state) {
  return state.is_finite() ? state.moment().over(static_cast<double>(state.count())) : not_a_number();
}

/// Returns the mean of finite values.
ACC_HD inline double mean_of(const Variance& side) { return MomentNumber(side.x, 1).over(side.count(), 1); }

/// Returns the slope of the line through the pairs; null where the independent value does not vary.
ACC_HD inline types::Nullable<double> slope_of(const Regression& state) {
  if (state.count() == 0) return {0, false};
  const double distances = squared_distances(independent_side(state));
  return {distance_products(state) / distances, distances != 0};
}

}  // namespace accelerant::functions
