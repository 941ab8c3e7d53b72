#pragma once

#include "functions/definition.h"
#include "types/utf8.h"

namespace accelerant::functions {

struct Length {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Length",
      .sql = "length(str)",
      .text = "Counts the characters of a string.",
  };
  using Signatures = SignatureList<Signature<types::IntType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"Spark string"}, "5 int"},
      {{"äöü€😀x string"}, "6 int"},
      {{" string"}, "0 int"},
      {{"null string"}, "null int"},
  };

  ACC_HD static int32 call(types::StringRef text) { return types::count_characters(text); }
};

}  // namespace accelerant::functions
