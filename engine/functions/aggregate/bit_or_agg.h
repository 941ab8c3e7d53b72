#pragma once

#include "functions/aggregate/bitwise.h"

namespace accelerant::functions {

struct BitOrAgg {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.BitOrAgg",
      .sql = "bit_or(expr)",
      .text = "Returns the bits that some value has.",
      .fields = {"child"},
  };
  using Signatures = IntegralSame;
  static constexpr AggregateExample kExamples[] = {
      {"1 int | null int | 12 int", "13 int"},
      {"-1 tinyint | 12 tinyint", "-1 tinyint"},
      {"null bigint", "null bigint"},
  };

  template <class T>
  using State = Bitwise<T, Combine::Or>;

  template <class T>
  ACC_HD static types::Nullable<T> finish(const Bitwise<T, Combine::Or>& state, const AggregateContext&) {
    return {state.bits, state.any};
  }
};

}  // namespace accelerant::functions
