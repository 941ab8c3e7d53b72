#pragma once

#include "functions/aggregate/percentiles.h"

namespace accelerant::functions {

struct PercentileDisc {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.PercentileDisc",
      .sql = "percentile_disc(expr, percentage)",
      .text = "Returns the first value of those that are not null up to which there is such a share of them.",
      .fields = {"child", "percentageExpression"},
      .literals = {"percentageExpression"},
      .unset = {"legacyCalculation"},
  };
  static constexpr AggregateFlag kFlags[] = {kDescending};
  using Signatures = Percentiles;
  static constexpr AggregateExample kExamples[] = {
      {"3 int ; 0.5 double | 1 int ; 0.5 double | null int ; 0.5 double | 2 int ; 0.5 double", "2 double"},
      {"0 int ; 0.5 double | 10 int ; 0.5 double", "0 double"},
      {"0 int ; 0.51 double | 10 int ; 0.51 double", "10 double"},
      {"0 int ; 0.5 double | 10 int ; 0.5 double", "10 double", 0, {.descending = true}},
      {"nan double ; 1 double | inf double ; 1 double", "nan double"},
      {"-1 bigint ; 0 double | -9223372036854775808 bigint ; 0 double", "-9223372036854775808 double"},
      {"1.25 decimal(5,2) ; 0 double | -0.75 decimal(5,2) ; 0 double", "-0.75 double"},
      {"0 months ; 0.25 double | 11 months ; 0.25 double", "0 months"},
      {"7 micros ; 0.75 double | null micros ; 0.75 double", "7 micros"},
      {"3 int ; nan double | 1 int ; nan double", "1 double"},
      {"null int ; 0.5 double", "null double"},
  };

  static constexpr bool kCollects = true;

  ACC_HD static constexpr bool supports(const types::DecimalContext&) { return true; }

  template <class R, class T>
  ACC_HD static types::Nullable<R> finish(List<T> values, types::Nullable<double> percentage,
                                          const AggregateContext& context, uint8&) {
    if (values.length == 0 || !percentage.valid) return {R(), false};
    const RankedValues<T> ranked(values, context);
    // Java's place of NaN is 0.
    const bool is_number = percentage.value == percentage.value;
    const double share = is_number ? static_cast<double>(values.length) * percentage.value : 0;
    const auto whole = static_cast<int64>(share);
    const int64 up_to = whole + static_cast<int64>(static_cast<double>(whole) < share);
    return {percentile_as<R>(ranked.number(ranked.at(up_to > 0 ? up_to - 1 : 0))), true};
  }
};

}  // namespace accelerant::functions
