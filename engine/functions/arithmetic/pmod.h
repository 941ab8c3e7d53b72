#pragma once

#include "functions/arithmetic/remainder.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Pmod {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Pmod",
      .sql = "pmod(expr1, expr2)",
      .text = "Returns what is left after a division, not negative where the divisor is positive.",
      .right_first = true,
      .fails_only_in_ansi = true,
  };
  using Signatures = BinarySame<types::ByteType, types::ShortType, types::IntType, types::LongType, types::FloatType,
                                types::DoubleType>;
  static constexpr Example kExamples[] = {
      {{"7 int", "3 int"}, "1 int"},
      {{"-7 int", "3 int"}, "2 int"},
      {{"-7 int", "-3 int"}, "-1 int"},
      {{"7 int", "0 int"}, "null int", kDivideByZero},
      {{"-2147483648 int", "-2147483647 int"}, "-1 int"},
      {{"-128 tinyint", "-1 tinyint"}, "0 tinyint"},
      {{"-100 tinyint", "-120 tinyint"}, "-100 tinyint"},
      {{"-30000 smallint", "-32000 smallint"}, "-30000 smallint"},
      {{"-5.5 double", "2.25 double"}, "1.25 double"},
      {{"-5.5 float", "0 float"}, "null float", kDivideByZero},
      {{"nan double", "2 double"}, "nan double"},
      {{"null int", "0 int"}, "null int"},
  };

  template <Integer T, class E>
  ACC_HD static T call(T lhs, T rhs, E& error) {
    const T rest = Remainder::call(lhs, rhs, error);
    // Java adds bytes and shorts as integers.
    if constexpr (sizeof(T) < sizeof(int32)) {
      return rest < 0 ? static_cast<T>(Remainder::call(int32{rest} + rhs, int32{rhs}, error)) : rest;
    } else {
      return rest < 0 ? Remainder::call(wrapping_add(rest, rhs), rhs, error) : rest;
    }
  }
  template <class E>
  ACC_HD static float call(float lhs, float rhs, E& error) {
    const float rest = Remainder::call(lhs, rhs, error);
    return rest < 0 ? Remainder::call(rest + rhs, rhs, error) : rest;
  }
  template <class E>
  ACC_HD static double call(double lhs, double rhs, E& error) {
    const double rest = Remainder::call(lhs, rhs, error);
    return rest < 0 ? Remainder::call(rest + rhs, rhs, error) : rest;
  }
};

}  // namespace accelerant::functions
