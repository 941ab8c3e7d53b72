#pragma once

#include "functions/definition.h"
#include "types/string_view.h"

namespace accelerant::functions {

struct StringSpace {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StringSpace",
      .sql = "space(n)",
      .text = "Makes a string of spaces.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"2 int"}, "   string"},
      {{"-1 int"}, " string"},
      {{"13 int"}, "              string"},
      {{"null int"}, "null string"},
  };

  ACC_HD static int64 size(int32 count) { return count > 0 ? count : 0; }
  ACC_HD static void write(int32 count, char* out) {
    for (int32 i = 0; i < count; ++i) out[i] = ' ';
  }
};

}  // namespace accelerant::functions
