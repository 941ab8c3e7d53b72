#pragma once

#include "functions/aggregate/percentiles.h"

namespace accelerant::functions {

struct Percentile {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Percentile",
      .sql = "percentile(expr, percentage)",
      .text = "Returns the exact percentile of the values that are not null, between two of them if need be.",
      .fields = {"child", "percentageExpression"},
      .literals = {"percentageExpression"},
      .one = "frequencyExpression",
      .differs_by_version = true,
  };
  static constexpr AggregateFlag kFlags[] = {kDescending};
  using Signatures = Percentiles;
  static constexpr AggregateExample kExamples[] = {
      {"3 int ; 0.5 double | 1 int ; 0.5 double | null int ; 0.5 double | 2 int ; 0.5 double", "2 double"},
      {"0 int ; 0.3 double | 10 int ; 0.3 double", "3 double"},
      {"nan double ; 1 double | inf double ; 1 double", "nan double"},
      {"-1 bigint ; 0 double | -9223372036854775808 bigint ; 0 double", "-9223372036854775808 double"},
      {"null int ; 0.5 double", "null double"},
      {"0 int ; 0.3 double | 10 int ; 0.3 double", "7 double", 0, {.descending = true}},
      {"1.25 decimal(5,2) ; 0.5 double | -0.75 decimal(5,2) ; 0.5 double", "0.25 double"},
      {"0.1 decimal(38,30) ; 1 double | null decimal(38,30) ; 1 double", "0.1 double"},
      {"0 months ; 0.25 double | 11 months ; 0.25 double", "2 months"},
      {"-3 micros ; 0.5 double | 0 micros ; 0.5 double", "-1 micros"},
      {"3 int ; nan double | 1 int ; nan double", "1 double"},
      {"0.1 double ; 0.1 double | 0.8 double ; 0.1 double", "0.17 double"},
      {"0.1 double ; 0.1 double | 0.8 double ; 0.1 double", "0.17000000000000004 double", 0, {.before_43 = true}},
  };

  static constexpr bool kCollects = true;

  ACC_HD static constexpr bool supports(const types::DecimalContext&) { return true; }

  template <class R, class T>
  ACC_HD static types::Nullable<R> finish(List<T> values, types::Nullable<double> percentage,
                                          const AggregateContext& context, uint8&) {
    if (values.length == 0 || !percentage.valid) return {R(), false};
    const RankedValues<T> ranked(values, context);
    return {percentile_as<R>(between(ranked, percentage.value, context.options.before_43)), true};
  }

 private:
  template <class T>
  ACC_HD static double between(const RankedValues<T>& ranked, double percentage, bool before_43) {
    // Java's place of NaN is 0.
    const bool is_number = percentage == percentage;
    const double position = is_number ? static_cast<double>(ranked.length() - 1) * percentage : 0;
    const auto lower = static_cast<int64>(position);
    const T low = ranked.at(lower);
    if (static_cast<double>(lower) == position) return ranked.number(low);
    const T high = ranked.at(lower + 1);
    if (equals(low, high)) return ranked.number(low);
    const double from = ranked.number(low);
    const double to = ranked.number(high);
    const double share = position - static_cast<double>(lower);
    if (!before_43) return from + share * (to - from);
    return (static_cast<double>(lower + 1) - position) * from + share * to;
  }
};

}  // namespace accelerant::functions
