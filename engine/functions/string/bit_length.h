#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"
#include "types/string_view.h"

namespace accelerant::functions {

struct BitLength {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BitLength",
      .sql = "bit_length(expr)",
      .text = "Counts bits.",
  };
  using Signatures =
      SignatureList<Signature<types::IntType, types::StringType>, Signature<types::IntType, types::BinaryType>>;
  static constexpr Example kExamples[] = {
      {{"ä€ string"}, "40 int"},
      {{" binary"}, "0 int"},
      {{"null string"}, "null int"},
  };

  ACC_HD static int32 call(types::StringRef bytes) { return wrapping_multiply(bytes.length, 8); }
};

}  // namespace accelerant::functions
