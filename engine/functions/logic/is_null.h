#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct IsNull {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.IsNull",
      .sql = "expr IS NULL",
      .text = "Returns whether a value is null.",
  };
  using Signatures = SignatureList<Signature<types::BooleanType, types::AnyType>>;
  static constexpr Example kExamples[] = {
      {{"1 int"}, "false boolean"},
      {{"null int"}, "true boolean"},
      {{"null string"}, "true boolean"},
      {{"a string"}, "false boolean"},
  };

  ACC_HD static bool call_nullable(types::Nullable<types::AnyType::Physical> value) { return !value.valid; }
};

}  // namespace accelerant::functions
