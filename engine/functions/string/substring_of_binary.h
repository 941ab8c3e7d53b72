#pragma once

#include "functions/definition.h"
#include "types/text_search.h"

namespace accelerant::functions {

struct SubstringOfBinary {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Substring",
      .sql = "substring(binary, pos, len)",
      .text = "Returns `len` bytes from the one at `pos`, counted from 1, or from the end where it is negative.",
  };
  using Signatures = SignatureList<Signature<types::BinaryType, types::BinaryType, types::IntType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"Spark SQL binary", "5 int", "1 int"}, "k binary"},
      {{"Spark SQL binary", "-3 int", "2147483647 int"}, "SQL binary"},
      {{"Spark SQL binary", "-11 int", "4 int"}, "Sp binary"},
      {{"Spark SQL binary", "10 int", "4 int"}, " binary"},
      {{"Spark SQL binary", "2 int", "-1 int"}, " binary"},
      {{"more than twelve bytes of it binary", "0 int", "18 int"}, "more than twelve b binary"},
  };

  ACC_HD static types::StringRef call(types::StringRef bytes, int32 position, int32 length) {
    int64 start = position > 0 ? position - 1 : 0;
    if (position < 0) start = static_cast<int64>(bytes.length) + position;
    int64 end = start + length;
    if (start < 0) start = 0;
    if (end > bytes.length) end = bytes.length;
    if (start >= end) return {bytes.data, 0};
    return types::slice(bytes, static_cast<int32>(start), static_cast<int32>(end));
  }
};

}  // namespace accelerant::functions
