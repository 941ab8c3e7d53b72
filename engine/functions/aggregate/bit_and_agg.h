#pragma once

#include "functions/aggregate/bitwise.h"

namespace accelerant::functions {

struct BitAndAgg {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.BitAndAgg",
      .sql = "bit_and(expr)",
      .text = "Returns the bits that all values have.",
      .fields = {"child"},
  };
  using Signatures = IntegralSame;
  static constexpr AggregateExample kExamples[] = {
      {"7 int | null int | 13 int", "5 int"},
      {"-1 tinyint | 12 tinyint", "12 tinyint"},
      {"null bigint", "null bigint"},
  };

  template <class T>
  using State = Bitwise<T, Combine::And>;

  template <class T>
  ACC_HD static types::Nullable<T> finish(const Bitwise<T, Combine::And>& state, const AggregateContext&) {
    return {state.bits, state.any};
  }
};

}  // namespace accelerant::functions
