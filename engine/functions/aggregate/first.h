#pragma once

#include "functions/aggregate/chooser.h"

namespace accelerant::functions {

struct First {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.First",
      .sql = "first(expr)",
      .text = "Returns the value of the first row, which may be null; with IGNORE NULLS of the first that is not.",
      .fields = {"child"},
      .in_frame = InFrame::FirstValue,
      .order_sensitive = true,
      .skips_values = true,
      .takes_null_values = true,
      .gives_values = true,
      .takes_nested = true,
  };
  static constexpr AggregateFlag kFlags[] = {{"ignoreNulls", &AggregateOptions::ignores_nulls}};
  using Signatures = SignatureList<Signature<types::AnyType, types::AnyType>>;
  static constexpr AggregateExample kExamples[] = {
      {"null int | 1 int | 2 int", "null int", 0, {.ignores_nulls = false}},
      {"null int | 1 int | 2 int", "1 int"},
      {"a string of more than twelve bytes string | b string", "a string of more than twelve bytes string"},
  };

  template <class>
  using State = EndPlace<End::First>;
};

}  // namespace accelerant::functions
