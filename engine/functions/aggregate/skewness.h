#pragma once

#include "functions/aggregate/moments_in_order.h"
#include "functions/aggregate/power_sums.h"
#include "types/floating.h"

namespace accelerant::functions {

struct Skewness {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Skewness",
      .sql = "skewness(expr)",
      .text = "Returns the skewness; null where the values do not vary.",
      .fields = {"child"},
  };
  static constexpr AggregateFlag kFlags[] = {kNullOnDivideByZero};
  using Signatures = OneDouble;
  static constexpr AggregateExample kExamples[] = {
      {"-1 double | null double | -1 double | 2 double", "0.7071067811865476 double"},
      {"1 double | 2 double | 3 double", "0 double"},
      {"5 double", "null double"},
      {"0.1 double | 0.1 double | 0.1 double", "nan double", 0, {.null_on_divide_by_zero = false}},
      {"1e-110 double | 2e-110 double", "null double", kDivideByZero | kNeedsSpark},
      {"1 double | inf double", "nan double"},
      {"1e200 double | -1e200 double", "nan double"},
      {"null double", "null double"},
  };

  template <class>
  using State = CubeSums;
  template <class>
  using InOrder = MomentsInOrder<3>;

  ACC_HD static constexpr bool can_fail(uint8, const types::DecimalContext&) { return true; }

  ACC_HD static types::Nullable<double> finish(const CubeSums& state, const AggregateContext& context, uint8& error) {
    const CubeSums& sums = state;
    if (sums.count() == 0) return {0, false};
    if (!sums.is_finite()) return {not_a_number(), true};
    const CentralMoments moments(sums);
    if (moments.m2 == 0) return {not_a_number(), !context.options.null_on_divide_by_zero};
    if (!types::is_finite(moments.m2)) return {not_a_number(), true};
    const double deviations = ACC_SQUARE_ROOT(moments.m2 * moments.m2 * moments.m2);
    return divided(ACC_SQUARE_ROOT(static_cast<double>(sums.count())) * moments.m3, deviations, error);
  }
  ACC_HD static types::Nullable<double> finish(const MomentsInOrder<3>& state, const AggregateContext& context,
                                               uint8& error) {
    if (state.rows == 0) return {0, false};
    if (state.m2 == 0) return {not_a_number(), !context.options.null_on_divide_by_zero};
    const double deviations = ACC_SQUARE_ROOT(state.m2 * state.m2 * state.m2);
    return divided(ACC_SQUARE_ROOT(state.rows) * state.m3, deviations, error);
  }
};

}  // namespace accelerant::functions
