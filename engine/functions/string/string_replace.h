#pragma once

#include "functions/definition.h"
#include "types/text_search.h"

namespace accelerant::functions {

struct StringReplace {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StringReplace",
      .sql = "replace(str, search, replace)",
      .text = "Replaces every occurrence of a string, from left to right.",
  };
  using Signatures =
      SignatureList<Signature<types::StringType, types::StringType, types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"ABCabc string", "abc string", "DEF string"}, "ABCDEF string"},
      {{"aaaa string", "aa string", "b string"}, "bb string"},
      {{"abc string", " string", "x string"}, "abc string"},
      {{"ab string", "b string", "a string of twelve and more string"}, "aa string of twelve and more string"},
      {{"abab string", "ab string", " string"}, " string"},
      {{"abc string", "null string", "x string"}, "null string"},
  };

  ACC_HD static int64 size(types::StringRef text, types::StringRef search, types::StringRef replacement) {
    int64 size = text.length;
    if (search.length == 0) return size;
    for (int32 at = types::find(text, search); at >= 0; at = types::find(text, search, at + search.length)) {
      size += replacement.length - search.length;
    }
    return size;
  }
  ACC_HD static void write(types::StringRef text, types::StringRef search, types::StringRef replacement, char* out) {
    int32 copied = 0;
    while (search.length > 0) {
      const int32 at = types::find(text, search, copied);
      if (at < 0) break;
      out = types::append(replacement, types::append(types::slice(text, copied, at), out));
      copied = at + search.length;
    }
    types::append(types::slice(text, copied, text.length), out);
  }
};

}  // namespace accelerant::functions
