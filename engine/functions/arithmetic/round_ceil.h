#pragma once

#include "functions/arithmetic/rounding_call.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct RoundCeil {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.RoundCeil",
      .sql = "ceil(expr, scale)",
      .text = "Returns the smallest decimal of so many places that is not below a decimal.",
  };
  using Signatures = SignatureList<>;
  static constexpr Example kExamples[] = {
      {{"1.234 decimal(4,3)", "2 int"}, "1.24 decimal(4,2)"},
      {{"-1.234 decimal(4,3)", "1 int"}, "-1.2 decimal(3,1)"},
      {{"null decimal(4,3)", "2 int"}, "null decimal(4,2)"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_to_places(call, "Ceil");
  }
};

}  // namespace accelerant::functions
