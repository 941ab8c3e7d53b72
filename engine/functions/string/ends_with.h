#pragma once

#include "functions/definition.h"
#include "types/text_search.h"

namespace accelerant::functions {

struct EndsWith {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.EndsWith",
      .sql = "endswith(left, right)",
      .text = "Says whether left ends with right.",
  };
  using Signatures = SignatureList<Signature<types::BooleanType, types::StringType, types::StringType>,
                                   Signature<types::BooleanType, types::BinaryType, types::BinaryType>>;
  static constexpr Example kExamples[] = {
      {{"Spark SQL string", "SQL string"}, "true boolean"},
      {{"SQL string", "Spark SQL string"}, "false boolean"},
      {{"anything string", " string"}, "true boolean"},
      {{"a string of more than twelve bytes string", "twelve bytes string"}, "true boolean"},
      {{"null string", "a string"}, "null boolean"},
  };

  ACC_HD static bool call(types::StringRef text, types::StringRef part) { return types::ends_with(text, part); }
};

}  // namespace accelerant::functions
