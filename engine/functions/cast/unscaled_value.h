#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct UnscaledValue {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.UnscaledValue",
      .sql = "(put by Spark into sums and averages of short decimals)",
      .text = "Returns a decimal of at most 18 digits without its point, as a bigint.",
  };
  using Signatures = From<types::LongType, types::DecimalType>;
  static constexpr Example kExamples[] = {
      {{"12.34 decimal(4,2)"}, "1234 bigint"},
      {{"-0.01 decimal(7,2)"}, "-1 bigint"},
      {{"null decimal(7,2)"}, "null bigint"},
      {{"999999999999999999 decimal(18,0)"}, "999999999999999999 bigint"},
  };

  template <class Decimal>
  ACC_HD static int64 call(Decimal value) {
    return static_cast<int64>(value);
  }
};

}  // namespace accelerant::functions
