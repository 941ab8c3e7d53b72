#pragma once

#include "functions/definition.h"
#include "functions/string/character_search.h"

namespace accelerant::functions {

struct StringInstr {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StringInstr",
      .sql = "instr(str, substr)",
      .text = "Returns the place of the first occurrence, in characters from 1, or 0.",
  };
  using Signatures = SignatureList<Signature<types::IntType, types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"SparkSQL string", "SQL string"}, "6 int"}, {{"ä€x string", "x string"}, "3 int"},
      {{"abc string", "d string"}, "0 int"},        {{"abc string", " string"}, "1 int"},
      {{" string", "a string"}, "0 int"},           {{"null string", "a string"}, "null int"},
  };

  ACC_HD static int32 call(types::StringRef text, types::StringRef part) {
    return types::find_character(text, part, 0) + 1;
  }
};

}  // namespace accelerant::functions
