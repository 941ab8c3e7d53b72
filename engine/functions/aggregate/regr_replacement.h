#pragma once

#include "functions/aggregate/moments_in_order.h"
#include "functions/aggregate/regression.h"

namespace accelerant::functions {

struct RegrReplacement {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.RegrReplacement",
      .sql = "regr_sxx(y, x)",
      .text =
          "Returns the sum of squared distances to the mean, of x, or as regr_syy of y, in pairs of which neither is "
          "null.",
      .fields = {"child"},
  };
  using Signatures = OneDouble;
  static constexpr AggregateExample kExamples[] = {
      {"1 double | null double | 3 double", "2 double"},
      {"5 double", "0 double"},
      {"1 double | inf double", "nan double"},
      {"null double", "null double"},
  };

  template <class>
  using State = Variance;
  template <class>
  using InOrder = MomentsInOrder<2>;

  ACC_HD static types::Nullable<double> finish(const Variance& state, const AggregateContext&) {
    return {state.count() > 0 ? squared_distances(state) : 0, state.count() > 0};
  }
  ACC_HD static types::Nullable<double> finish(const MomentsInOrder<2>& state, const AggregateContext&) {
    return {state.m2, state.rows > 0};
  }
};

}  // namespace accelerant::functions
