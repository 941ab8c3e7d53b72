#pragma once

#include "functions/definition.h"
#include "functions/string/trimming.h"

namespace accelerant::functions {

struct StringTrim {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StringTrim",
      .sql = "trim(str[, set])",
      .text = "Takes spaces, or the characters of a set, off both ends of a string.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType>,
                                   Signature<types::StringType, types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"  Spark  string"}, "Spark string"},
      {{" \t x  string"}, "\t x string"},
      {{"   string"}, " string"},
      {{" string"}, " string"},
      {{"SSparkSQLS string", "SLk string"}, "parkSQ string"},
      {{"ää€x€ä string", "€ä string"}, "x string"},
      {{"aba string", "ab string"}, " string"},
      {{"abc string", " string"}, "abc string"},
      {{" a string of more than twelve bytes  string"}, "a string of more than twelve bytes string"},
      {{"null string"}, "null string"},
      {{"a string", "null string"}, "null string"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_trim(call);
  }

  ACC_HD static types::StringRef call(types::StringRef text) { return trim_right(trim_left(text)); }
  ACC_HD static types::StringRef call(types::StringRef text, types::StringRef set) {
    return trim_right(trim_left(text, set), set);
  }
};

}  // namespace accelerant::functions
