#pragma once

#include "functions/aggregate/moments_in_order.h"

namespace accelerant::functions {

struct Corr {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Corr",
      .sql = "corr(expr1, expr2)",
      .text =
          "Returns Pearson's correlation of pairs of which neither is null; null where a side does not vary, before "
          "Spark 4.3 a division by zero.",
      .fields = {"x", "y"},
      .evaluated = Evaluated::UpToNull,
      .differs_by_version = true,
  };
  static constexpr AggregateFlag kFlags[] = {kNullOnDivideByZero};
  using Signatures = TwoDoubles;
  static constexpr AggregateExample kExamples[] = {
      {"1 double ; 2 double | null double ; 7 double | 3 double ; 4 double", "1 double"},
      {"1 double ; 2 double | 3 double ; 2 double", "null double"},
      {"1 double ; 2 double | 3 double ; 2 double", "null double", kDivideByZero | kNeedsSpark, {.before_43 = true}},
      {"1 double ; 1 double", "null double"},
      {"1 double ; 1 double", "nan double", 0, {.null_on_divide_by_zero = false}},
      {"1 double ; inf double | 2 double ; 2 double", "nan double"},
  };

  template <class, class>
  using State = Covariance;
  template <class, class>
  using InOrder = ComomentsInOrder;

  ACC_HD static constexpr bool can_fail(uint8, const types::DecimalContext&) { return true; }

  ACC_HD static types::Nullable<double> finish(const Covariance& state, const AggregateContext& context, uint8& error) {
    const AggregateOptions& options = context.options;
    const int64 rows = state.count();
    if (rows < 2) return of_few(rows, options);
    if (!state.is_finite()) {
      const bool is_null = !options.before_43 && (is_constant(state.x) || is_constant(state.y));
      return {not_a_number(), !is_null};
    }
    // What both sides' distances to their means come to: as doubles, so that what overflows or vanishes in Spark does
    // so here.
    const double x = state.x.moment().over(static_cast<double>(rows));
    const double y = state.y.moment().over(static_cast<double>(rows));
    if (!options.before_43 && (x == 0 || y == 0)) return {0, false};
    // Where means of partitions are rounded, Spark finds distances instead of none, and an answer.
    return divided(state.moment().over(static_cast<double>(rows)), ACC_SQUARE_ROOT(x * y), error);
  }
  ACC_HD static types::Nullable<double> finish(const ComomentsInOrder& state, const AggregateContext& context,
                                               uint8& error) {
    if (state.rows < 2) return of_few(static_cast<int64>(state.rows), context.options);
    if (!context.options.before_43 && (state.xx == 0 || state.yy == 0)) return {0, false};
    return divided(state.xy, ACC_SQUARE_ROOT(state.xx * state.yy), error);
  }

 private:
  /// Returns what no row, or a single one, gives.
  ACC_HD static types::Nullable<double> of_few(int64 rows, const AggregateOptions& options) {
    return {not_a_number(), rows == 1 && !options.null_on_divide_by_zero};
  }

  /// Says whether a side has the same finite value in all rows.
  ACC_HD static bool is_constant(const Variance& side) {
    return side.is_finite() && side.moment().over(static_cast<double>(side.count())) == 0;
  }
};

}  // namespace accelerant::functions
