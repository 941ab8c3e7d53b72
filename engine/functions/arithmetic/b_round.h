#pragma once

#include "functions/arithmetic/rounding.h"
#include "functions/arithmetic/rounding_call.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct BRound {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BRound",
      .sql = "bround(expr, scale)",
      .text =
          "Rounds a number at places behind the point, halves to the even neighbour, by the digits that Java writes it "
          "with.",
      .takes_java = true,
  };
  using Signatures = SignatureList<Signature<types::FloatType, types::FloatType, types::IntType, types::IntType>,
                                   Signature<types::DoubleType, types::DoubleType, types::IntType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"2.5 double", "0 int", "17 int"}, "2 double"},     {{"3.5 double", "0 int", "17 int"}, "4 double"},
      {{"0.5 double", "0 int", "17 int"}, "0 double"},     {{"0.51 double", "0 int", "17 int"}, "1 double"},
      {{"2.51 float", "0 int", "17 int"}, "3 float"},      {{"-1.25 double", "1 int", "17 int"}, "-1.2 double"},
      {{"25 double", "-1 int", "17 int"}, "20 double"},    {{"nan double", "0 int", "17 int"}, "nan double"},
      {{"null double", "0 int", "17 int"}, "null double"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_round(call, false);
  }

  template <class F>
  ACC_HD static F call(F value, int32 scale, int32 java) {
    return round_floating(value, scale, java, true);
  }
};

}  // namespace accelerant::functions
