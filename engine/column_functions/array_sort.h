#pragma once

#include "column_functions/sorted_elements.h"

namespace accelerant::column_functions {

/// Spark's class has a lambda, which is always there; only the one that Spark itself puts there is known here.
struct ArraySort {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArraySort",
      .sql = "array_sort(array)",
      .text = "Sorts the elements; nulls come last.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[3,null,1,2] array<int>"}, "[1,2,3,null] array<int>"},
      {{"[null,b,a,ab,null] array<string>"}, "[a,ab,b,null,null] array<string>"},
      {{"[0.0,nan,null,-0.0,-1] array<double>"}, "[-1,0,-0,nan,null] array<double>"},
      {{"[] array<int>"}, "[] array<int>"},
      {{"null array<int>"}, "null array<int>"},
  };

  template <class Call>
  static auto bind(Call& call) {
    const auto array = call.argument("argument");
    const auto comparison = call.lambda("function");
    call.skip("allowNullComparisonResult");
    call.finish();
    if (!Call::is_natural_order(comparison)) call.refuse("by a comparison of one's own");
    return call.call({array});
  }

  static columns::ColumnPtr call(ColumnCall& call) { return sort_elements(call, true, false); }
};

}  // namespace accelerant::column_functions
