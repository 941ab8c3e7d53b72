#pragma once

#include "functions/aggregate/moments_in_order.h"

namespace accelerant::functions {

struct CovSample {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.CovSample",
      .sql = "covar_samp(expr1, expr2)",
      .text = "Returns the sample covariance of pairs of which neither is null.",
      .fields = {"left", "right"},
      .evaluated = Evaluated::UpToNull,
  };
  static constexpr AggregateFlag kFlags[] = {kNullOnDivideByZero};
  using Signatures = TwoDoubles;
  static constexpr AggregateExample kExamples[] = {
      {"1 double ; 2 double | null double ; 7 double | 3 double ; 4 double", "2 double"},
      {"1 double ; 1 double", "null double"},
  };

  template <class, class>
  using State = Covariance;
  template <class, class>
  using InOrder = ComomentsInOrder;

  ACC_HD static types::Nullable<double> finish(const Covariance& state, const AggregateContext& context) {
    return mean_moment<MomentOf::Sample>(state, context);
  }
  ACC_HD static types::Nullable<double> finish(const ComomentsInOrder& state, const AggregateContext& context) {
    return mean_moment<MomentOf::Sample>(state, context);
  }
};

}  // namespace accelerant::functions
