#pragma once

#include "functions/cast/java_digits.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastFloatingToString {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Writes floating-point numbers as the Java that runs Spark does.",
      .takes_java = true,
  };
  using Signatures = SignatureList<Signature<types::StringType, types::FloatType, types::IntType>,
                                   Signature<types::StringType, types::DoubleType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"0.1 double", "17 int"}, "0.1 string"},
      {{"0.1 float", "17 int"}, "0.1 string"},
      {{"100 double", "17 int"}, "100.0 string"},
      {{"-1234567.5 double", "17 int"}, "-1234567.5 string"},
      {{"1e7 double", "17 int"}, "1.0E7 string"},
      {{"0.001 double", "17 int"}, "0.001 string"},
      {{"0.00015 float", "17 int"}, "1.5E-4 string"},
      {{"2e23 double", "17 int"}, "1.9999999999999998E23 string"},
      {{"2e-3 double", "17 int"}, "0.002 string"},
      {{"2e23 double", "21 int"}, "2.0E23 string"},
      {{"4.9e-324 double", "17 int"}, "4.9E-324 string"},
      {{"4.9e-324 double", "21 int"}, "4.9E-324 string"},
      {{"1.7976931348623157e308 double", "21 int"}, "1.7976931348623157E308 string"},
      {{"-0 double", "17 int"}, "-0.0 string"},
      {{"nan double", "17 int"}, "NaN string"},
      {{"-inf float", "17 int"}, "-Infinity string"},
      {{"null double", "17 int"}, "null string"},
  };

  template <class F>
  ACC_HD static types::Text<26> call(F value, int32 java) {
    return java_text(value, java);
  }
};

}  // namespace accelerant::functions
