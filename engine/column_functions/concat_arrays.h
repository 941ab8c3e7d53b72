#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/joined_elements.h"

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
    const std::vector<ListRows> lists = lists_of(call);
    const JoinedElements elements(call, lists, 0);
    ChosenElements chosen(call);
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      for (size_t i = 0; i < lists.size() && call.counts(row); ++i) {
        chosen.add_all(elements.first(i, row), elements.end(i, row));
      }
      chosen.end_row();
    }
    return chosen.finish(elements.column());
  }
};

}  // namespace accelerant::column_functions
