#pragma once

#include "functions/aggregate/moments.h"

namespace accelerant::functions {

/// Merges states of which one has no rows, as Spark does since 4.3: the mean is not rounded. Returns false otherwise.
template <class State>
ACC_HD bool merged_as_copy(State& state, const State& other, const AggregateOptions& options) {
  if (options.before_43 || (state.rows != 0 && other.rows != 0)) return false;
  if (state.rows == 0) state = other;
  return true;
}

/// State of moments of values that come in the order in which Spark adds them up, and merges what they came to: the
/// mean, and sums of powers of the distances to it, which every value moves (Meng, "Simpler Online Updates for
/// Arbitrary-Order Central Moments", arXiv 1510.04923). The last digits are Spark's.
///
/// Spark: aggregate.CentralMomentAgg.
template <int32 kMostPower>
struct MomentsInOrder {
  double rows;
  double mean;
  double m2;
  double m3;  ///< 0 where kMostPower is less
  double m4;  ///< likewise

  ACC_HD static MomentsInOrder init() { return {0, 0, 0, 0, 0}; }

  ACC_HD ACC_INLINE void update(double value) {
    rows += 1;
    const double distance = value - mean;
    const double moved = distance / rows;
    mean += moved;
    m2 += distance * (distance - moved);
    if constexpr (kMostPower >= 3) {
      const double squared = distance * distance;
      const double moved_squared = moved * moved;
      m3 = m3 - 3.0 * moved * m2 + distance * (squared - moved_squared);
      if constexpr (kMostPower >= 4) {
        m4 = m4 - 4.0 * moved * m3 - 6.0 * moved_squared * m2 + distance * (distance * squared - moved * moved_squared);
      }
    }
  }

  ACC_HD void merge(const MomentsInOrder& other, const AggregateOptions& options) {
    if (merged_as_copy(*this, other, options)) return;
    const double n = rows;
    const double k = other.rows;
    rows = n + k;
    const double distance = other.mean - mean;
    const double moved = rows == 0 ? 0 : distance / rows;
    mean += moved * k;
    if constexpr (kMostPower >= 4) {
      m4 = m4 + other.m4 + moved * moved * moved * distance * n * k * (n * n - n * k + k * k) +
           6.0 * moved * moved * (n * n * other.m2 + k * k * m2) + 4.0 * moved * (n * other.m3 - k * m3);
    }
    if constexpr (kMostPower >= 3) {
      m3 = m3 + other.m3 + moved * moved * distance * n * k * (n - k) + 3.0 * moved * (n * other.m2 - k * m2);
    }
    m2 = m2 + other.m2 + distance * moved * n * k;
  }
};

/// Likewise of pairs of which neither is null.
///
/// Spark: aggregate.Covariance, aggregate.PearsonCorrelation.
struct ComomentsInOrder {
  double rows;
  double x_mean;
  double y_mean;
  double xx;
  double yy;
  double xy;

  ACC_HD static ComomentsInOrder init() { return {0, 0, 0, 0, 0, 0}; }

  ACC_HD ACC_INLINE void update(double x, double y) {
    rows += 1;
    const double x_distance = x - x_mean;
    const double y_distance = y - y_mean;
    x_mean += x_distance / rows;
    y_mean += y_distance / rows;
    xy += x_distance * (y - y_mean);
    xx += x_distance * (x - x_mean);
    yy += y_distance * (y - y_mean);
  }

  ACC_HD void merge(const ComomentsInOrder& other, const AggregateOptions& options) {
    if (merged_as_copy(*this, other, options)) return;
    const double n = rows;
    const double k = other.rows;
    rows = n + k;
    const double x_distance = other.x_mean - x_mean;
    const double y_distance = other.y_mean - y_mean;
    const double x_moved = rows == 0 ? 0 : x_distance / rows;
    const double y_moved = rows == 0 ? 0 : y_distance / rows;
    x_mean += x_moved * k;
    y_mean += y_moved * k;
    xy = xy + other.xy + x_distance * y_moved * n * k;
    xx = xx + other.xx + x_distance * x_moved * n * k;
    yy = yy + other.yy + y_distance * y_moved * n * k;
  }
};

/// State of RegrSlope and RegrIntercept over pairs of the dependent value and the independent one, likewise.
struct SlopeInOrder {
  ComomentsInOrder pairs;  ///< of the independent value and the dependent one
  MomentsInOrder<2> independent;

  ACC_HD static SlopeInOrder init() { return {ComomentsInOrder::init(), MomentsInOrder<2>::init()}; }

  ACC_HD ACC_INLINE void update(double dependent_value, double independent_value) {
    pairs.update(independent_value, dependent_value);
    independent.update(independent_value);
  }

  ACC_HD void merge(const SlopeInOrder& other, const AggregateOptions& options) {
    pairs.merge(other.pairs, options);
    independent.merge(other.independent, options);
  }

  /// Returns the slope; null where the independent value does not vary.
  ACC_HD types::Nullable<double> slope() const { return {pairs.xy / independent.m2, independent.m2 != 0}; }
};

/// Returns a moment over the number of rows, or one less for samples; or null.
template <MomentOf kOf>
ACC_HD types::Nullable<double> mean_moment(double moment, double rows, const AggregateContext& context) {
  if (rows == 0) return {0, false};
  if (kOf == MomentOf::Population) return {moment / rows, true};
  if (rows == 1) return {not_a_number(), !context.options.null_on_divide_by_zero};
  return {moment / (rows - 1), true};
}

/// Returns likewise the second moment of MomentsInOrder, and the mixed one of ComomentsInOrder.
template <MomentOf kOf>
ACC_HD types::Nullable<double> mean_moment(const MomentsInOrder<2>& state, const AggregateContext& context) {
  return mean_moment<kOf>(state.m2, state.rows, context);
}
template <MomentOf kOf>
ACC_HD types::Nullable<double> mean_moment(const ComomentsInOrder& state, const AggregateContext& context) {
  return mean_moment<kOf>(state.xy, state.rows, context);
}

}  // namespace accelerant::functions
