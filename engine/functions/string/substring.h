#pragma once

#include "functions/definition.h"
#include "types/text_search.h"
#include "types/utf8.h"

namespace accelerant::functions {

struct Substring {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Substring",
      .sql = "substring(str, pos, len)",
      .text = "Returns `len` characters from the one at `pos`, counted from 1, or from the end where it is negative.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType, types::IntType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"Spark SQL string", "5 int", "1 int"}, "k string"},
      {{"Spark SQL string", "-3 int", "2147483647 int"}, "SQL string"},
      {{"Spark SQL string", "0 int", "5 int"}, "Spark string"},
      {{"Spark SQL string", "-11 int", "4 int"}, "Sp string"},
      {{"Spark SQL string", "-11 int", "2 int"}, " string"},
      {{"Spark SQL string", "10 int", "4 int"}, " string"},
      {{"Spark SQL string", "2 int", "-1 int"}, " string"},
      {{"Spark SQL string", "-2147483648 int", "-2147483648 int"}, " string"},
      {{"äöü€😀x string", "3 int", "3 int"}, "ü€😀 string"},
      {{"a string of more than twelve bytes string", "3 int", "20 int"}, "string of more than  string"},
      {{"null string", "3 int", "20 int"}, "null string"},
  };

  ACC_HD static types::StringRef call(types::StringRef text, int32 position, int32 length) {
    int64 start = position > 0 ? position - 1 : 0;
    if (position < 0) start = static_cast<int64>(types::count_characters(text)) + position;
    int64 end = start + length;
    if (end <= start || end <= 0) return {text.data, 0};
    if (start < 0) start = 0;
    const int32 begin = types::skip_characters(text, 0, start);
    return types::slice(text, begin, types::skip_characters(text, begin, end - start));
  }
};

}  // namespace accelerant::functions
