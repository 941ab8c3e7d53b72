#pragma once

#include "functions/definition.h"
#include "functions/string/trimming.h"

namespace accelerant::functions {

struct StringTrimRight {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StringTrimRight",
      .sql = "rtrim(str[, set])",
      .text = "Takes spaces, or the characters of a set, off the end of a string.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType>,
                                   Signature<types::StringType, types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"  Spark  string"}, "  Spark string"},
      {{"   string"}, " string"},
      {{"SSparkSQLS string", "SLk string"}, "SSparkSQ string"},
      {{"xaä string", "ä string"}, "xa string"},
      {{"null string"}, "null string"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_trim(call);
  }

  ACC_HD static types::StringRef call(types::StringRef text) { return trim_right(text); }
  ACC_HD static types::StringRef call(types::StringRef text, types::StringRef set) { return trim_right(text, set); }
};

}  // namespace accelerant::functions
