#pragma once

#include "column_functions/set_elements.h"

namespace accelerant::column_functions {

struct ArrayIntersect {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayIntersect",
      .sql = "array_intersect(array1, array2)",
      .text = "Returns the elements of an array that another one has, too, each once.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, array<T> -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[3,null,1,3,2] array<int>", "[1,3,null] array<int>"}, "[3,null,1] array<int>"},
      {{"[a,b] array<string>", "[c] array<string>"}, "[] array<string>"},
      {{"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18] array<int>", "[18,2,17,2] array<int>"}, "[2,17,18] array<int>"},
      {{"[-0.0,1,nan] array<double>", "[nan,0.0] array<double>"}, "[0,nan] array<double>"},
      {{"null array<int>", "[1] array<int>"}, "null array<int>"},
  };

  template <class Call>
  static auto bind(Call& call) {
    return bind_sets(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    return choose_of_both(call, [](ElementRange left, ElementRange right, auto& set, ChosenElements& chosen) {
      add_to(set, right);
      for (int64_t place = left.first; place < left.end; ++place) {
        if (set.remove(place)) chosen.add(place);
      }
    });
  }
};

}  // namespace accelerant::column_functions
