#pragma once

#include "functions/aggregate/definition.h"

namespace accelerant::functions {

/// The second of the two aggregations that Spark makes of PIVOT. The first one groups by the pivot column, too, so that
/// a group has one row a place at most.
struct PivotFirst {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.PivotFirst",
      .sql = "pivot_first(value, place)",
      .text = "Returns an array of values, each in its place, from 1.",
      .fields = {"valueColumn", "pivotColumn"},
      .places = "pivotColumnValues",
      .gives_values = true,
  };
  using Signatures = SignatureList<Signature<types::ArrayType, types::AnyType, types::LongType>>;
  static constexpr AggregateExample kExamples[] = {
      {"7 int ; 2 bigint | 8 int ; 0 bigint | null int ; 1 bigint", "[null, 7, null] array<int>", 0, {.num_places = 3}},
      {"0.5 decimal(38,2) ; 1 bigint | 1.5 decimal(38,2) ; null bigint",
       "[0.50] array<decimal(38,2)>",
       0,
       {.num_places = 1}},
      {"a text of more than twelve bytes string ; 2 bigint | b string ; 1 bigint",
       "[b, a text of more than twelve bytes] array<string>",
       0,
       {.num_places = 2}},
  };

  static constexpr bool kPlaces = true;
};

}  // namespace accelerant::functions
