#pragma once

#include "functions/aggregate/moments_in_order.h"

namespace accelerant::functions {

struct VariancePop {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop",
      .sql = "var_pop(expr)",
      .text = "Returns the population variance.",
      .fields = {"child"},
  };
  static constexpr AggregateFlag kFlags[] = {kNullOnDivideByZero};
  using Signatures = OneDouble;
  static constexpr AggregateExample kExamples[] = {
      {"1 double | null double | 3 double", "1 double"},
      {"1e300 double | 1e300 double", "0 double"},
      {"5 double", "0 double"},
      {"1 double | inf double", "nan double"},
      {"null double", "null double"},
  };

  template <class>
  using State = Variance;
  template <class>
  using InOrder = MomentsInOrder<2>;

  ACC_HD static types::Nullable<double> finish(const Variance& state, const AggregateContext& context) {
    return mean_moment<MomentOf::Population>(state, context);
  }
  ACC_HD static types::Nullable<double> finish(const MomentsInOrder<2>& state, const AggregateContext& context) {
    return mean_moment<MomentOf::Population>(state, context);
  }
};

}  // namespace accelerant::functions
