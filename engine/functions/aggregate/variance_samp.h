#pragma once

#include "functions/aggregate/moments_in_order.h"

namespace accelerant::functions {

struct VarianceSamp {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp",
      .sql = "var_samp(expr)",
      .text = "Returns the sample variance.",
      .fields = {"child"},
  };
  static constexpr AggregateFlag kFlags[] = {kNullOnDivideByZero};
  using Signatures = OneDouble;
  static constexpr AggregateExample kExamples[] = {
      {"1 double | null double | 3 double", "2 double"},
      {"5 double", "null double"},
      {"5 double", "nan double", 0, {.null_on_divide_by_zero = false}},
      {"null double", "null double"},
  };

  template <class>
  using State = Variance;
  template <class>
  using InOrder = MomentsInOrder<2>;

  ACC_HD static types::Nullable<double> finish(const Variance& state, const AggregateContext& context) {
    return mean_moment<MomentOf::Sample>(state, context);
  }
  ACC_HD static types::Nullable<double> finish(const MomentsInOrder<2>& state, const AggregateContext& context) {
    return mean_moment<MomentOf::Sample>(state, context);
  }
};

}  // namespace accelerant::functions
