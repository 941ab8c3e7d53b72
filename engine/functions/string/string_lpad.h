#pragma once

#include "functions/definition.h"
#include "functions/string/padding.h"

namespace accelerant::functions {

struct StringLPad {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StringLPad",
      .sql = "lpad(str, len, pad)",
      .text = "Fills a string up on the left to a number of characters, or cuts it to them.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType, types::IntType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"hi string", "5 int", "?? string"}, "???hi string"},
      {{"hi string", "1 int", "?? string"}, "h string"},
      {{"hi string", "5 int", " string"}, "hi string"},
      {{"ä€ string", "5 int", "€x string"}, "€x€ä€ string"},
      {{"hi string", "14 int", "abc string"}, "abcabcabcabchi string"},
      {{"hi string", "-1 int", "a string"}, " string"},
      {{"null string", "5 int", "a string"}, "null string"},
      {{"hi string", "2147483633 int", "a string"}, "null string", kExternalError},
  };

  template <class E>
  ACC_HD static int64 size(types::StringRef text, int32 length, types::StringRef pad, E& error) {
    return padded_size(text, length, pad, error);
  }
  ACC_HD static void write(types::StringRef text, int32 length, types::StringRef pad, char* out) {
    const int32 needed = padding_needed(text, length, pad);
    if (needed <= 0) text = types::slice(text, 0, types::skip_characters(text, 0, length));
    out = append_padding(needed, pad, out);
    types::append(text, out);
  }
};

}  // namespace accelerant::functions
