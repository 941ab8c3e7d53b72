#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct NaNvl {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.NaNvl",
      .sql = "nanvl(expr1, expr2)",
      .text = "Returns a number, or another one where it is NaN.",
  };
  using Signatures = SignatureList<>;
  static constexpr Example kExamples[] = {
      {{"1.5 double", "2 double"}, "1.5 double"},
      {{"nan double", "2 double"}, "2 double"},
      {{"null float", "2 float"}, "null float"},
      {{"nan float", "null float"}, "null float"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto value = call.argument("left");
    const auto other = call.argument("right");
    call.finish();
    for (const auto side : {value, other}) call.require_type(side, call.type());
    return call.builder().case_when({{call.call_predicate("IsNaN", {value}), other}}, value, call.type());
  }
};

}  // namespace accelerant::functions
