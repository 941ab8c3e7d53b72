#pragma once

#include "functions/definition.h"
#include "functions/string/char_lengths.h"

namespace accelerant::functions {

struct VarcharTypeCheck {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.util.CharVarcharCodegenUtils.varcharTypeWriteSideCheck",
      .sql = "(put by Spark below writes to columns of type varchar)",
      .text = "Takes spaces off the end of a string that has more than a number of characters.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"ab string", "5 int"}, "ab string"},
      {{"ab   string", "5 int"}, "ab   string"},
      {{"ä€    string", "3 int"}, "ä€  string"},
      {{"a string of more than twelve bytes   string", "34 int"}, "a string of more than twelve bytes string"},
      {{"abcdef string", "5 int"}, "null string", kExternalError},
      {{"abc  d  string", "5 int"}, "null string", kExternalError},
      {{"null string", "5 int"}, "null string"},
  };

  template <class E>
  ACC_HD static types::StringRef call(types::StringRef text, int32 length, E& error) {
    const int32 characters = types::count_characters(text);
    return characters <= length ? text : cut_to(text, characters, length, error);
  }
};

}  // namespace accelerant::functions
