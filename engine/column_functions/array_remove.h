#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/value_order.h"

namespace accelerant::column_functions {

struct ArrayRemove {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayRemove",
      .sql = "array_remove(array, value)",
      .text = "Returns the elements that are not a value.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, T -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null,2,1] array<int>", "1 int"}, "[null,2] array<int>"},
      {{"[a] array<string>", "b string"}, "[a] array<string>"},
      {{"[1] array<int>", "null int"}, "null array<int>"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    const StoredRows unwanted(call.argument(1));
    columns::ColumnPtr result;
    with_equality(ListRows(call.argument(0)).elements(), unwanted.values(), [&](auto equal) {
      result = choose_elements(call, [&](const ListRows& lists, int64_t row, ChosenElements& chosen) {
        const int64_t end = lists.first(row) + lists.size(row);
        for (int64_t place = lists.first(row); place < end; ++place) {
          if (lists.elements().is_null(place) || !equal(place, unwanted.place(row))) chosen.add(place);
        }
      });
    });
    return result;
  }
};

}  // namespace accelerant::column_functions
