#pragma once

#include "functions/definition.h"
#include "types/text_search.h"

namespace accelerant::functions {

struct StartsWith {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StartsWith",
      .sql = "startswith(left, right)",
      .text = "Says whether left begins with right.",
  };
  using Signatures = SignatureList<Signature<types::BooleanType, types::StringType, types::StringType>,
                                   Signature<types::BooleanType, types::BinaryType, types::BinaryType>>;
  static constexpr Example kExamples[] = {
      {{"Spark SQL string", "Spark string"}, "true boolean"},
      {{"Spark string", "Spark SQL string"}, "false boolean"},
      {{"anything string", " string"}, "true boolean"},
      {{"a string of more than twelve bytes string", "a string of more string"}, "true boolean"},
      {{"null string", "a string"}, "null boolean"},
      {{"a string", "null string"}, "null boolean"},
  };

  ACC_HD static bool call(types::StringRef text, types::StringRef part) { return types::starts_with(text, part); }
};

}  // namespace accelerant::functions
