#pragma once

#include "functions/aggregate/moments_in_order.h"
#include "functions/aggregate/power_sums.h"

namespace accelerant::functions {

struct Kurtosis {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Kurtosis",
      .sql = "kurtosis(expr)",
      .text = "Returns the excess kurtosis; null where the values do not vary.",
      .fields = {"child"},
  };
  static constexpr AggregateFlag kFlags[] = {kNullOnDivideByZero};
  using Signatures = OneDouble;
  static constexpr AggregateExample kExamples[] = {
      {"-1 double | null double | 1 double | 0 double | 0 double", "-1 double"},
      {"5 double", "null double"},
      {"0.1 double | 0.1 double | 0.1 double", "nan double", 0, {.null_on_divide_by_zero = false}},
      {"1e-90 double | 2e-90 double", "null double", kDivideByZero | kNeedsSpark},
      {"1 double | nan double", "nan double"},
      {"null double", "null double"},
  };

  template <class>
  using State = FourthPowerSums;
  template <class>
  using InOrder = MomentsInOrder<4>;

  ACC_HD static constexpr bool can_fail(uint8, const types::DecimalContext&) { return true; }

  ACC_HD static types::Nullable<double> finish(const FourthPowerSums& state, const AggregateContext& context,
                                               uint8& error) {
    const CubeSums& sums = state.lower;
    if (sums.count() == 0) return {0, false};
    if (!sums.is_finite()) return {not_a_number(), true};
    const CentralMoments moments(sums);
    if (moments.m2 == 0) return {not_a_number(), !context.options.null_on_divide_by_zero};
    const double dividend = static_cast<double>(sums.count()) * moments.m4(state);
    types::Nullable<double> kurtosis = divided(dividend, moments.m2 * moments.m2, error);
    kurtosis.value -= 3;
    return kurtosis;
  }
  ACC_HD static types::Nullable<double> finish(const MomentsInOrder<4>& state, const AggregateContext& context,
                                               uint8& error) {
    if (state.rows == 0) return {0, false};
    if (state.m2 == 0) return {not_a_number(), !context.options.null_on_divide_by_zero};
    types::Nullable<double> kurtosis = divided(state.rows * state.m4, state.m2 * state.m2, error);
    kurtosis.value -= 3;
    return kurtosis;
  }
};

}  // namespace accelerant::functions
