#pragma once

#include "functions/definition.h"
#include "types/string_view.h"

namespace accelerant::functions {

struct OctetLength {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.OctetLength",
      .sql = "octet_length(expr)",
      .text = "Counts bytes.",
  };
  using Signatures =
      SignatureList<Signature<types::IntType, types::StringType>, Signature<types::IntType, types::BinaryType>>;
  static constexpr Example kExamples[] = {
      {{"ä€ string"}, "5 int"},
      {{"ä€ binary"}, "5 int"},
      {{"null string"}, "null int"},
  };

  ACC_HD static int32 call(types::StringRef bytes) { return bytes.length; }
};

}  // namespace accelerant::functions
