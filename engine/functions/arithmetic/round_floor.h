#pragma once

#include "functions/arithmetic/rounding_call.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct RoundFloor {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.RoundFloor",
      .sql = "floor(expr, scale)",
      .text = "Returns the largest decimal of so many places that is not above a decimal.",
  };
  using Signatures = SignatureList<>;
  static constexpr Example kExamples[] = {
      {{"1.239 decimal(4,3)", "2 int"}, "1.23 decimal(4,2)"},
      {{"-1.234 decimal(4,3)", "1 int"}, "-1.3 decimal(3,1)"},
      {{"null decimal(4,3)", "2 int"}, "null decimal(4,2)"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_to_places(call, "Floor");
  }
};

}  // namespace accelerant::functions
