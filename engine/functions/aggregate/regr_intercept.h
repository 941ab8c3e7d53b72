#pragma once

#include "functions/aggregate/moments_in_order.h"
#include "functions/aggregate/regression.h"

namespace accelerant::functions {

struct RegrIntercept {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.RegrIntercept",
      .sql = "regr_intercept(y, x)",
      .text = "Returns where the line through pairs of which neither is null is at x = 0; null where x does not vary.",
      .fields = {"left", "right"},
      .evaluated = Evaluated::DownToNull,
  };
  using Signatures = TwoDoubles;
  static constexpr AggregateExample kExamples[] = {
      {"1 double ; 1 double | null double ; 7 double | 5 double ; 3 double | 2 double ; null double", "-1 double"},
      {"1e308 double ; -1 double | 1e308 double ; 1 double", "1e308 double"},
      {"1 double ; 2 double | 3 double ; 2 double", "null double"},
      {"3 double ; 2 double | 3 double ; nan double", "nan double"},
      {"null double ; 1 double", "null double"},
  };

  template <class, class>
  using State = Regression;
  template <class, class>
  using InOrder = SlopeInOrder;

  ACC_HD static types::Nullable<double> finish(const Regression& state, const AggregateContext&) {
    const types::Nullable<double> slope = slope_of(state);
    if (!slope.valid) return {0, false};
    if (!state.is_finite()) return {not_a_number(), true};
    return {mean_of(dependent_side(state)) - slope.value * mean_of(independent_side(state)), true};
  }
  ACC_HD static types::Nullable<double> finish(const SlopeInOrder& state, const AggregateContext&) {
    const types::Nullable<double> slope = state.slope();
    return {state.pairs.y_mean - slope.value * state.pairs.x_mean, slope.valid};
  }
};

}  // namespace accelerant::functions
