#pragma once

#include "functions/aggregate/moments_in_order.h"
#include "functions/aggregate/regression.h"

namespace accelerant::functions {

struct RegrR2 {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.RegrR2",
      .sql = "regr_r2(y, x)",
      .text =
          "Returns the square of the correlation of pairs of which neither is null; null where x does not vary, else 1 "
          "where "
          "y does not.",
      .fields = {"y", "x"},
      .evaluated = Evaluated::UpToNull,
  };
  using Signatures = TwoDoubles;
  static constexpr AggregateExample kExamples[] = {
      {"1 double ; 2 double | null double ; 7 double | 3 double ; 4 double", "1 double"},
      {"1 double ; 0 double | 2 double ; 0 double | 1 double ; 1 double | 2 double ; 1 double", "0 double"},
      {"1 double ; 2 double | 3 double ; 2 double", "null double"},
      {"3 double ; 1 double | 3 double ; 2 double", "1 double"},
      {"3 double ; 1 double | 3 double ; inf double", "1 double"},
      {"inf double ; 1 double | 3 double ; 2 double", "nan double"},
      {"1e-90 double ; 1e-90 double | 2e-90 double ; 2e-90 double", "null double", kDivideByZero | kNeedsSpark},
      {"1 double ; null double", "null double"},
  };

  template <class, class>
  using State = Regression;
  template <class, class>
  using InOrder = ComomentsInOrder;

  ACC_HD static constexpr bool can_fail(uint8, const types::DecimalContext&) { return true; }

  ACC_HD static types::Nullable<double> finish(const Regression& state, const AggregateContext&, uint8& error) {
    if (state.count() == 0) return {0, false};
    return squared_correlation(squared_distances(dependent_side(state)), squared_distances(independent_side(state)),
                               distance_products(state), error);
  }
  ACC_HD static types::Nullable<double> finish(const ComomentsInOrder& state, const AggregateContext&, uint8& error) {
    if (state.rows == 0) return {0, false};
    return squared_correlation(state.xx, state.yy, state.xy, error);
  }

 private:
  ACC_HD static types::Nullable<double> squared_correlation(double dependent, double independent, double products,
                                                            uint8& error) {
    if (independent == 0) return {0, false};
    if (dependent == 0) return {1, true};
    const types::Nullable<double> correlation = divided(products, ACC_SQUARE_ROOT(dependent * independent), error);
    return {correlation.value * correlation.value, correlation.valid};
  }
};

}  // namespace accelerant::functions
