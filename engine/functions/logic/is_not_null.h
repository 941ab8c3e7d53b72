#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct IsNotNull {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.IsNotNull",
      .sql = "expr IS NOT NULL",
      .text = "Returns whether a value is not null.",
  };
  using Signatures = SignatureList<Signature<types::BooleanType, types::AnyType>>;
  static constexpr Example kExamples[] = {
      {{"1 int"}, "true boolean"},
      {{"null int"}, "false boolean"},
      {{"null decimal(38,0)"}, "false boolean"},
      {{"a string"}, "true boolean"},
  };

  ACC_HD static bool call_nullable(types::Nullable<types::AnyType::Physical> value) { return value.valid; }
};

}  // namespace accelerant::functions
