#pragma once

#include "functions/definition.h"
#include "types/text_search.h"
#include "types/utf8.h"

namespace accelerant::functions {

struct Reverse {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Reverse",
      .sql = "reverse(str)",
      .text = "Returns the characters in reverse order.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"Spark string"}, "krapS string"},
      {{"ä€😀x string"}, "x😀€ä string"},
      {{"a string of more than twelve bytes string"}, "setyb evlewt naht erom fo gnirts a string"},
      {{"null string"}, "null string"},
  };

  ACC_HD static int64 size(types::StringRef text) { return text.length; }
  ACC_HD static void write(types::StringRef text, char* out) {
    out += text.length;
    for (int32 begin = 0; begin < text.length;) {
      const int32 end = types::next_character(text, begin);
      out -= end - begin;
      types::append(types::slice(text, begin, end), out);
      begin = end;
    }
  }
};

}  // namespace accelerant::functions
