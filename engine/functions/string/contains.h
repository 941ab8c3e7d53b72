#pragma once

#include "functions/definition.h"
#include "types/text_search.h"

namespace accelerant::functions {

struct Contains {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Contains",
      .sql = "contains(left, right)",
      .text = "Says whether right is somewhere in left.",
  };
  using Signatures = SignatureList<Signature<types::BooleanType, types::StringType, types::StringType>,
                                   Signature<types::BooleanType, types::BinaryType, types::BinaryType>>;
  static constexpr Example kExamples[] = {
      {{"Spark SQL string", "ark S string"}, "true boolean"},
      {{"Spark SQL string", "arks string"}, "false boolean"},
      {{" string", " string"}, "true boolean"},
      {{"ab string", "abc string"}, "false boolean"},
      {{"a string of more than aaaab bytes string", "aaab string"}, "true boolean"},
      {{"null string", "a string"}, "null boolean"},
  };

  ACC_HD static bool call(types::StringRef text, types::StringRef part) {
    return part.length == 0 || types::find(text, part) >= 0;
  }
};

}  // namespace accelerant::functions
