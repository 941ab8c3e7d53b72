#pragma once

#include "functions/cast/java_digits.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastFloatingToDecimal {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text =
          "Takes the digits that Java writes a finite number with, as a double, and rounds them, halves away from "
          "zero.",
      .takes_java = true,
  };
  using Signatures = SignatureList<Signature<types::DecimalType, types::FloatType, types::IntType>,
                                   Signature<types::DecimalType, types::DoubleType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"0.1 double", "17 int"}, "0.10 decimal(5,2)"},
      {{"0.125 double", "17 int"}, "0.13 decimal(5,2)"},
      {{"-0.125 double", "17 int"}, "-0.13 decimal(5,2)"},
      {{"1.005 double", "17 int"}, "1.01 decimal(5,2)"},
      {{"0.1 float", "17 int"}, "0.10000000149 decimal(20,11)"},
      {{"999.995 double", "17 int"}, "null decimal(5,2)", kDecimalOverflow},
      {{"1e300 double", "17 int"}, "null decimal(38,0)", kDecimalOverflow},
      {{"1e-300 double", "17 int"}, "0.00 decimal(5,2)"},
      {{"1e37 double", "17 int"}, "10000000000000000000000000000000000000 decimal(38,0)"},
      {{"-0 double", "17 int"}, "0.0 decimal(5,1)"},
      {{"NaN double", "17 int"}, "0.00 decimal(5,2)"},
      {{"Infinity double", "17 int"}, "0.00 decimal(5,2)"},
      {{"null double", "17 int"}, "null decimal(5,2)"},
  };

  ACC_HD static types::DecimalRange range(types::DecimalRange, types::DecimalRange,
                                          const types::DecimalContext& context) {
    return types::DecimalRange::of_precision(context.result_precision);
  }
  template <class F, class E>
  ACC_HD static int64 call_narrow(F value, int32 java, const types::DecimalContext& context, E& error) {
    return static_cast<int64>(call_wide(value, java, context, error));
  }
  template <class F, class E>
  ACC_HD static int128 call_wide(F value, int32 java, const types::DecimalContext& context, E& error) {
    const double number = value;
    if (number == 0 || number - number != 0) return 0;  // NaN and infinity have no digits: their casts are null
    const JavaDigits digits = java_digits(number < 0 ? -number : number, java);
    const int32 kept = digits.exponent + context.result_scale;
    if (kept > context.result_precision) {
      error |= static_cast<E>(kDecimalOverflow);
      return 0;
    }
    const int128 result = digits.leading(kept);
    if (result >= types::power_of_ten(context.result_precision)) error |= static_cast<E>(kDecimalOverflow);
    return number < 0 ? -result : result;
  }
};

}  // namespace accelerant::functions
