#pragma once

#include "column_functions/chosen_elements.h"

#include <vector>

namespace accelerant::column_functions {

struct ConcatArrays {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Concat",
      .sql = "concat(array1, array2, ...)",
      .text = "Joins arrays.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, array<T>... -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null] array<int>", "[3] array<int>"}, "[1,null,3] array<int>"},
      {{"[a] array<string>", "[] array<string>", "[b,a] array<string>"}, "[a,b,a] array<string>"},
      {{"[1] array<int>", "null array<int>"}, "null array<int>"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    std::vector<ListRows> lists;
    std::vector<columns::ColumnPtr> elements;
    std::vector<int64_t> bases;
    int64_t base = 0;
    for (const columns::ColumnPtr& argument : call.arguments()) {
      lists.emplace_back(*argument);
      elements.push_back(lists.back().values().children().front());
      bases.push_back(base);
      base += elements.back()->length();
    }
    ChosenElements chosen(call);
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      for (size_t i = 0; i < lists.size() && call.counts(row); ++i) {
        const int64_t first = bases[i] + lists[i].first(row);
        chosen.add_all(first, first + lists[i].size(row));
      }
      chosen.end_row();
    }
    return chosen.finish(*columns::concatenate(elements, call.budget()));
  }
};

}  // namespace accelerant::column_functions
