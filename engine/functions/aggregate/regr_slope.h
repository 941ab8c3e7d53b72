#pragma once

#include "functions/aggregate/moments_in_order.h"
#include "functions/aggregate/regression.h"

namespace accelerant::functions {

struct RegrSlope {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.RegrSlope",
      .sql = "regr_slope(y, x)",
      .text = "Returns the slope of the line through pairs of which neither is null; null where x does not vary.",
      .fields = {"left", "right"},
      .evaluated = Evaluated::DownToNull,
  };
  using Signatures = TwoDoubles;
  static constexpr AggregateExample kExamples[] = {
      {"1 double ; 1 double | null double ; 7 double | 5 double ; 3 double | 2 double ; null double", "2 double"},
      {"1 double ; 2 double | 3 double ; 2 double", "null double"},
      {"inf double ; 2 double | 3 double ; 2 double", "null double"},
      {"inf double ; 2 double | 3 double ; 4 double", "nan double"},
      {"1 double ; null double", "null double"},
  };

  template <class, class>
  using State = Regression;
  template <class, class>
  using InOrder = SlopeInOrder;

  ACC_HD static types::Nullable<double> finish(const Regression& state, const AggregateContext&) {
    return slope_of(state);
  }
  ACC_HD static types::Nullable<double> finish(const SlopeInOrder& state, const AggregateContext&) {
    return state.slope();
  }
};

}  // namespace accelerant::functions
