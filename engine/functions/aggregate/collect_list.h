#pragma once

#include "functions/aggregate/definition.h"

namespace accelerant::functions {

struct CollectList {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.CollectList",
      .sql = "collect_list(expr)",
      .text = "Returns the values that are not null, in the order of their rows.",
      .fields = {"child"},
      .order_sensitive = true,
      .gives_values = true,
      .takes_nested = true,
  };
  static constexpr AggregateFlag kFlags[] = {{"ignoreNulls", &AggregateOptions::ignores_nulls, true}};
  using Signatures = SignatureList<Signature<types::ArrayType, types::AnyType>>;
  static constexpr AggregateExample kExamples[] = {
      {"1 int | null int | 1 int | 3 int", "[1, 1, 3] array<int>"},
      {"null string", "[] array<string>"},
      {"1 int | null int", "[1, null] array<int>", 0, {.ignores_nulls = false}},
  };

  static constexpr bool kCollects = true;
};

}  // namespace accelerant::functions
