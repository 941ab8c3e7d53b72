#pragma once

#include "column_functions/set_elements.h"

namespace accelerant::column_functions {

struct ArrayExcept {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayExcept",
      .sql = "array_except(array1, array2)",
      .text = "Returns the elements of an array that another one lacks, each once.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, array<T> -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null,3,1,2] array<int>", "[2] array<int>"}, "[1,null,3] array<int>"},
      {{"[1,null,2] array<int>", "[2,null] array<int>"}, "[1] array<int>"},
      {{"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18] array<int>", "[1,3,5,7,9,11,13,15,17] array<int>"},
       "[2,4,6,8,10,12,14,16,18] array<int>"},
      {{"[0.0,-nan,1,-0.0] array<float>", "[nan] array<float>"}, "[0,1] array<float>"},
      {{"[a] array<string>", "null array<string>"}, "null array<string>"},
  };

  template <class Call>
  static auto bind(Call& call) {
    return bind_sets(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    return choose_of_both(call, [](ElementRange left, ElementRange right, auto& set, ChosenElements& chosen) {
      add_to(set, right);
      add_lacking(left, set, chosen);
    });
  }
};

}  // namespace accelerant::column_functions
