#pragma once

#include "functions/aggregate/moments_in_order.h"

namespace accelerant::functions {

struct RegrSXY {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.RegrSXY",
      .sql = "regr_sxy(y, x)",
      .text = "Returns the sum of products of distances to the means, of pairs of which neither is null.",
      .fields = {"y", "x"},
      .evaluated = Evaluated::UpToNull,
  };
  using Signatures = TwoDoubles;
  static constexpr AggregateExample kExamples[] = {
      {"1 double ; 2 double | null double ; 7 double | 3 double ; 4 double", "2 double"},
      {"1 double ; 1 double", "0 double"},
      {"1 double ; null double", "null double"},
      {"1 double ; inf double | 2 double ; 2 double", "nan double"},
  };

  template <class, class>
  using State = Covariance;
  template <class, class>
  using InOrder = ComomentsInOrder;

  ACC_HD static types::Nullable<double> finish(const Covariance& state, const AggregateContext&) {
    if (state.count() == 0) return {0, false};
    if (!state.is_finite()) return {not_a_number(), true};
    return {state.moment().over(static_cast<double>(state.count())), true};
  }
  ACC_HD static types::Nullable<double> finish(const ComomentsInOrder& state, const AggregateContext&) {
    return {state.xy, state.rows > 0};
  }
};

}  // namespace accelerant::functions
