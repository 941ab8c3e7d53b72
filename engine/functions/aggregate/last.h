#pragma once

#include "functions/aggregate/chooser.h"

namespace accelerant::functions {

struct Last {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Last",
      .sql = "last(expr)",
      .text = "Returns the value of the last row, which may be null; with IGNORE NULLS of the last that is not.",
      .fields = {"child"},
      .in_frame = InFrame::LastValue,
      .order_sensitive = true,
      .takes_null_values = true,
      .gives_values = true,
      .takes_nested = true,
  };
  static constexpr AggregateFlag kFlags[] = {{"ignoreNulls", &AggregateOptions::ignores_nulls}};
  using Signatures = SignatureList<Signature<types::AnyType, types::AnyType>>;
  static constexpr AggregateExample kExamples[] = {
      {"1 int | 2 int | null int", "null int", 0, {.ignores_nulls = false}},
      {"1 int | 2 int | null int", "2 int"},
      {"b string | a string of more than twelve bytes string", "a string of more than twelve bytes string"},
  };

  template <class>
  using State = EndPlace<End::Last>;
};

}  // namespace accelerant::functions
