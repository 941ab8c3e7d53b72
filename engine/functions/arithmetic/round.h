#pragma once

#include "functions/arithmetic/rounding.h"
#include "functions/arithmetic/rounding_call.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Round {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Round",
      .sql = "round(expr, scale)",
      .text =
          "Rounds a number at places behind the point, halves away from zero, by the digits that Java writes it with.",
      .takes_java = true,
  };
  using Signatures = SignatureList<Signature<types::FloatType, types::FloatType, types::IntType, types::IntType>,
                                   Signature<types::DoubleType, types::DoubleType, types::IntType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"2.5 double", "0 int", "17 int"}, "3 double"},       {{"-2.5 double", "0 int", "17 int"}, "-3 double"},
      {{"1.005 double", "2 int", "17 int"}, "1.01 double"},  {{"1.4 float", "0 int", "17 int"}, "1 float"},
      {{"0.15 float", "1 int", "17 int"}, "0.2 float"},      {{"1234.5 double", "-2 int", "17 int"}, "1200 double"},
      {{"55 double", "-2 int", "17 int"}, "100 double"},     {{"55 double", "-3 int", "17 int"}, "0 double"},
      {{"9.99 double", "1 int", "17 int"}, "10 double"},     {{"-0.4 double", "0 int", "17 int"}, "0 double"},
      {{"1e300 double", "5 int", "17 int"}, "1e300 double"}, {{"nan double", "0 int", "17 int"}, "nan double"},
      {{"-inf double", "0 int", "17 int"}, "-inf double"},   {{"null double", "0 int", "17 int"}, "null double"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_round(call, true);
  }

  template <class F>
  ACC_HD static F call(F value, int32 scale, int32 java) {
    return round_floating(value, scale, java, false);
  }
};

}  // namespace accelerant::functions
