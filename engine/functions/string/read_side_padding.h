#pragma once

#include "functions/definition.h"
#include "functions/string/char_lengths.h"

namespace accelerant::functions {

struct ReadSidePadding {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.util.CharVarcharCodegenUtils.readSidePadding",
      .sql = "(put by Spark above columns of type char)",
      .text = "Fills a string up with spaces to a number of characters; what is longer stays.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"ab string", "5 int"}, "ab    string"},
      {{"ä€ string", "4 int"}, "ä€   string"},
      {{"abcdef string", "5 int"}, "abcdef string"},
      {{"a string of more than twelve bytes string", "36 int"}, "a string of more than twelve bytes   string"},
      {{" string", "2 int"}, "   string"},
      {{"null string", "5 int"}, "null string"},
  };

  /// Fails no row, so that what reads such columns may be moved: only texts of more than 2 GiB can't be made.
  ACC_HD static int64 size(types::StringRef text, int32 length) {
    const int32 characters = types::count_characters(text);
    return text.length + (characters < length ? int64{length} - characters : 0);
  }
  ACC_HD static void write(types::StringRef text, int32 length, char* out) { fill(text, length, out); }
};

}  // namespace accelerant::functions
