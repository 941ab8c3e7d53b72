#pragma once

#include "column_functions/set_elements.h"

namespace accelerant::column_functions {

struct ArrayUnion {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayUnion",
      .sql = "array_union(array1, array2)",
      .text = "Returns the elements of both arrays, each once.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, array<T> -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null,1] array<int>", "[2,null,1] array<int>"}, "[1,null,2] array<int>"},
      {{"[a] array<string>", "[] array<string>"}, "[a] array<string>"},
      {{"[(1,a)] array<struct<x:int,y:string>>", "[(1,b),(1,a)] array<struct<x:int,y:string>>"},
       "[(1,a),(1,b)] array<struct<x:int,y:string>>"},
      {{"[-0.0,nan] array<double>", "[0.0,-nan,2] array<double>"}, "[0,nan,2] array<double>"},
      {{"[1] array<int>", "null array<int>"}, "null array<int>"},
  };

  template <class Call>
  static auto bind(Call& call) {
    return bind_sets(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    return choose_of_both(call, [](ElementRange left, ElementRange right, auto& set, ChosenElements& chosen) {
      add_lacking(left, set, chosen);
      add_lacking(right, set, chosen);
    });
  }
};

}  // namespace accelerant::column_functions
