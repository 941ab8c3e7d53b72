#pragma once

#include "functions/aggregate/bitwise.h"

namespace accelerant::functions {

struct BitXorAgg {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.BitXorAgg",
      .sql = "bit_xor(expr)",
      .text = "Returns the bits that an odd number of values has.",
      .fields = {"child"},
  };
  using Signatures = IntegralSame;
  static constexpr AggregateExample kExamples[] = {
      {"7 int | null int | 13 int", "10 int"},
      {"-1 tinyint | 12 tinyint", "-13 tinyint"},
      {"null bigint", "null bigint"},
  };

  template <class T>
  using State = Bitwise<T, Combine::Xor>;

  template <class T>
  ACC_HD static types::Nullable<T> finish(const Bitwise<T, Combine::Xor>& state, const AggregateContext&) {
    return {state.bits, state.any};
  }
};

}  // namespace accelerant::functions
