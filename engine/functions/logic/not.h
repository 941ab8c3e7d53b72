#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct Not {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Not",
      .sql = "NOT expr",
      .text = "Returns the opposite of a boolean.",
  };
  using Signatures = UnarySame<types::BooleanType>;
  static constexpr Example kExamples[] = {
      {{"true boolean"}, "false boolean"},
      {{"false boolean"}, "true boolean"},
      {{"null boolean"}, "null boolean"},
  };

  ACC_HD static bool call(bool value) { return !value; }
};

}  // namespace accelerant::functions
