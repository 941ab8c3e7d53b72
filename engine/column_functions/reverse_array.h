#pragma once

#include "column_functions/chosen_elements.h"

namespace accelerant::column_functions {

struct ReverseArray {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Reverse",
      .sql = "reverse(array)",
      .text = "Returns the elements in reverse order.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null,3] array<int>"}, "[3,null,1] array<int>"},
      {{"[] array<int>"}, "[] array<int>"},
      {{"null array<int>"}, "null array<int>"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    return choose_elements(call, [](const ListRows& lists, int64_t row, ChosenElements& chosen) {
      for (int64_t i = lists.size(row); i-- > 0;) chosen.add(lists.first(row) + i);
    });
  }
};

}  // namespace accelerant::column_functions
