#pragma once

#include "functions/definition.h"
#include "functions/string/char_lengths.h"

namespace accelerant::functions {

struct CharTypeCheck {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.util.CharVarcharCodegenUtils.charTypeWriteSideCheck",
      .sql = "(put by Spark below writes to columns of type char)",
      .text = "Makes a string one of a number of characters: by spaces at its end, or without some that are there.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"ab string", "5 int"}, "ab    string"},
      {{"abcde string", "5 int"}, "abcde string"},
      {{"ä€    string", "4 int"}, "ä€   string"},
      {{"a string of more than twelve bytes string", "36 int"}, "a string of more than twelve bytes   string"},
      {{"abc    string", "4 int"}, "abc  string"},
      {{"abcdef string", "5 int"}, "null string", kExternalError},
      {{"null string", "5 int"}, "null string"},
  };

  template <class E>
  ACC_HD static int64 size(types::StringRef text, int32 length, E& error) {
    const int32 characters = types::count_characters(text);
    if (characters <= length) return filled_size(text, characters, length, error);
    return cut_to(text, characters, length, error).length;
  }
  ACC_HD static void write(types::StringRef text, int32 length, char* out) {
    const int32 characters = types::count_characters(text);
    fill(characters > length ? without_excess(text, characters, length) : text, length, out);
  }
};

}  // namespace accelerant::functions
