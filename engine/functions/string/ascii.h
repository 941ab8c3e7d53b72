#pragma once

#include "functions/definition.h"
#include "types/utf8.h"

namespace accelerant::functions {

struct Ascii {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Ascii",
      .sql = "ascii(str)",
      .text = "Returns the number of the first character, or 0.",
  };
  using Signatures = SignatureList<Signature<types::IntType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"Spark string"}, "83 int"}, {{"€ string"}, "8364 int"},    {{"😀 string"}, "128512 int"},
      {{" string"}, "0 int"},       {{"null string"}, "null int"},
  };

  ACC_HD static int32 call(types::StringRef text) {
    int32 position = 0;
    return text.length == 0 ? 0 : types::decode_character(text, position);
  }
};

}  // namespace accelerant::functions
