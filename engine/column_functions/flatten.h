#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/row_nulls.h"

#include <vector>

namespace accelerant::column_functions {

struct Flatten {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Flatten",
      .sql = "flatten(array)",
      .text = "Joins the arrays of an array; null where one is null.",
  };
  static constexpr const char* kSignatures[] = {"array<array<T>> -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[[1,2],[],[null]] array<array<int>>"}, "[1,2,null] array<int>"},
      {{"[[1],null] array<array<int>>"}, "null array<int>"},
      {{"[] array<array<int>>"}, "[] array<int>"},
      {{"null array<array<int>>"}, "null array<int>"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows outer(call.argument(0));
    const ListRows inner(outer.elements());
    ChosenElements chosen(call);
    std::vector<int64_t> nulls;
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (call.counts(row) && !add_lists(outer, inner, row, chosen)) nulls.push_back(row);
      chosen.end_row();
    }
    return with_nulls(chosen.finish(inner.elements()), nulls, call.budget());
  }

 private:
  /// Adds the elements of a row's lists; says whether none of these is null.
  static bool add_lists(const ListRows& outer, const ListRows& inner, int64_t row, ChosenElements& chosen) {
    const int64_t end = outer.first(row) + outer.size(row);
    for (int64_t list = outer.first(row); list < end; ++list) {
      if (inner.is_null(list)) return false;
    }
    for (int64_t list = outer.first(row); list < end; ++list) {
      chosen.add_all(inner.first(list), inner.first(list) + inner.size(list));
    }
    return true;
  }
};

}  // namespace accelerant::column_functions
