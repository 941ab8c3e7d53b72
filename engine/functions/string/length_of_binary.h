#pragma once

#include "functions/definition.h"
#include "types/string_view.h"

namespace accelerant::functions {

struct LengthOfBinary {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Length",
      .sql = "length(binary)",
      .text = "Counts the bytes of a binary value.",
  };
  using Signatures = SignatureList<Signature<types::IntType, types::BinaryType>>;
  static constexpr Example kExamples[] = {
      {{"Spark binary"}, "5 int"},
      {{"ä€ binary"}, "5 int"},
      {{"null binary"}, "null int"},
  };

  ACC_HD static int32 call(types::StringRef bytes) { return bytes.length; }
};

}  // namespace accelerant::functions
