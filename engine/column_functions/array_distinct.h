#pragma once

#include "column_functions/set_elements.h"

namespace accelerant::column_functions {

struct ArrayDistinct {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayDistinct",
      .sql = "array_distinct(array)",
      .text = "Returns the elements without those that were there before.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null,2,1,null] array<int>"}, "[1,null,2] array<int>"},
      {{"[a,b,a] array<string>"}, "[a,b] array<string>"},
      {{"[[1,2],[1],[1,2]] array<array<int>>"}, "[[1,2],[1]] array<array<int>>"},
      {{"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,1,18,17,null,2] array<bigint>"},
       "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,null] array<bigint>"},
      {{"[-0.0,nan,0.0,-nan,1] array<double>"}, "[0,nan,1] array<double>"},
      {{"[[-0.0],[0.0],[nan,null]] array<array<float>>"}, "[[0],[nan,null]] array<array<float>>"},
      {{"[] array<int>"}, "[] array<int>"},
      {{"null array<int>"}, "null array<int>"},
  };

  template <class Call>
  static auto bind(Call& call) {
    return bind_sets(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    columns::ColumnPtr result;
    with_set(lists.elements(), call.budget(), [&](auto& set) {
      result = choose_elements(call, [&](const ListRows&, int64_t row, ChosenElements& chosen) {
        set.start(lists.size(row));
        add_lacking({lists.first(row), int64_t{lists.first(row)} + lists.size(row)}, set, chosen);
      });
    });
    return with_normalized_floats(result, call.budget());
  }
};

}  // namespace accelerant::column_functions
