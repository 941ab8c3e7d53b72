#pragma once

#include "functions/aggregate/chooser.h"

namespace accelerant::functions {

struct MinBy {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.MinBy",
      .sql = "min_by(value, ordering)",
      .text = "Returns the value of the row whose ordering is the least; of several the last.",
      .fields = {"valueExpr", "orderingExpr"},
      .order_sensitive = true,
      .skips_values = true,
      .takes_null_values = true,
      .gives_values = true,
      .takes_nested = true,
  };
  using Signatures = ChosenByOrder;
  static constexpr AggregateExample kExamples[] = {
      {"a string ; 1 int | b string ; 3 int | c string ; null int | d string ; 2 int", "a string"},
      {"a string ; 1 int | null string ; 1 int", "null string", 0, {.ignores_nulls = false}},
      {"1 int ; a string | 2 int ; a string of more than twelve bytes string", "1 int"},
      {"1 int ; nan double | 2 int ; inf double", "2 int"},
      {"a string ; (2,b) struct<x:int,y:string> | b string ; (1,b) struct<x:int,y:string>", "b string"},
      {"[7] array<int> ; [2] array<int> | [8] array<int> ; [1,5] array<int> | [9] array<int> ; null array<int>",
       "[8] array<int>"},
  };

  template <class, class Ordering>
  using State = typename ExtremeRowOf<Ordering, Combine::Least>::State;
};

}  // namespace accelerant::functions
