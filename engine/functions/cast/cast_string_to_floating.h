#pragma once

#include "functions/cast/floating_parser.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastStringToFloating {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Reads a floating-point number as Java does, and words for infinity and NaN in any case.",
      .fails_only_in_ansi = true,
  };
  using Signatures =
      SignatureList<Signature<types::FloatType, types::StringType>, Signature<types::DoubleType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"1.5 string"}, "1.5 double"},
      {{" -.5e1\n string"}, "-5 double"},
      {{"5.d string"}, "5 double"},
      {{"1e5F string"}, "100000 float"},
      {{"0.1 string"}, "0.1 double"},
      {{"0.1 string"}, "0.1 float"},
      {{"1.00000017881393432617187499 string"}, "1.00000012 float"},
      {{"1.00000017881393432617187501 string"}, "1.00000024 float"},
      {{"123456789012345678901234567890 string"}, "123456789012345678901234567890 double"},
      {{"2.2250738585072011e-308 string"}, "2.2250738585072011e-308 double"},
      {{"4.9e-324 string"}, "4.9e-324 double"},
      {{"2.4703282292062327e-324 string"}, "0 double"},
      {{"1.7976931348623159e308 string"}, "inf double"},
      {{"1e400 string"}, "inf double"},
      {{"1e-400 string"}, "0 double"},
      {{"-inf string"}, "-inf double"},
      {{"+Infinity string"}, "inf float"},
      {{"nan string"}, "nan double"},
      {{"0x1.8p1 string"}, "3 double"},
      {{"0x1.p-1074 string"}, "4.9e-324 double"},
      {{"-nan string"}, "null double", kCastInvalid},
      {{"1e string"}, "null double", kCastInvalid},
      {{"1dd string"}, "null double", kCastInvalid},
      {{"1_0 string"}, "null double", kCastInvalid},
      {{"0x1 string"}, "null double", kCastInvalid},
      {{". string"}, "null float", kCastInvalid},
      {{" string"}, "null float", kCastInvalid},
      {{"null string"}, "null double"},
  };

  template <class To, class E>
  ACC_HD static To call(types::StringRef text, E& error) {
    text = trim_up_to_space(text);
    if (is_word(text, "nan")) return __builtin_bit_cast(float, 0x7fc00000);
    const bool has_sign = text.length > 0 && (text.data[0] == '-' || text.data[0] == '+');
    const bool negative = take_sign(text);
    const FloatingParser<To> number(text, has_sign);
    if (!number.is_valid()) error |= static_cast<E>(kCastInvalid);
    return negative ? -number.value() : number.value();
  }
};

}  // namespace accelerant::functions
