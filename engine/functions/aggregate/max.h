#pragma once

#include "functions/aggregate/extreme.h"

namespace accelerant::functions {

struct Max {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Max",
      .sql = "max(expr)",
      .text = "Returns the greatest value that is not null; NaN is greater than any other number.",
      .fields = {"child"},
      .gives_values = true,
      .takes_nested = true,
  };
  using Signatures = OrderedSame;
  static constexpr AggregateExample kExamples[] = {
      {"1 int | null int | 3 int | -2 int", "3 int"},
      {"null int | null int", "null int"},
      {"false boolean | true boolean", "true boolean"},
      {"1 double | nan double | inf double", "nan double"},
      {"-inf float | -3.5 float", "-3.5 float"},
      {"1.50 decimal(30,2) | 12345678901234567890.25 decimal(30,2)", "12345678901234567890.25 decimal(30,2)"},
      {"b string | a string of more than twelve bytes string | null string", "b string"},
      {"1994-01-01 date | 1995-01-01 date", "1995-01-01 date"},
      {"[1,2] array<int> | null array<int> | [1,3] array<int> | [1] array<int>", "[1, 3] array<int>"},
      {"(1,b) struct<x:int,y:string> | (null,c) struct<x:int,y:string>", "(1,b) struct<x:int,y:string>"},
  };

  template <class T>
  using State = typename ExtremeOf<T, Combine::Greatest>::State;

  template <class S>
  ACC_HD static auto finish(const S& state, const AggregateContext&) {
    return extreme_value(state);
  }
};

}  // namespace accelerant::functions
