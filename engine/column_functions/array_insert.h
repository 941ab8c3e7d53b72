#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/integers.h"
#include "column_functions/joined_elements.h"
#include "column_functions/row_nulls.h"
#include "types/string_view.h"

#include <algorithm>
#include <vector>

namespace accelerant::column_functions {

struct ArrayInsert {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayInsert",
      .sql = "array_insert(array, index, value)",
      .text = "Puts a value at an index, from 1 on or from -1 backwards; what lies between is null.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, int, T -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,2] array<int>", "1 int", "9 int"}, "[9,1,2] array<int>"},
      {{"[1,2] array<int>", "3 int", "null int"}, "[1,2,null] array<int>"},
      {{"[1] array<int>", "4 int", "9 int"}, "[1,null,null,9] array<int>"},
      {{"[1,2] array<int>", "-1 int", "9 int"}, "[1,2,9] array<int>"},
      {{"[1,2] array<int>", "-3 int", "9 int"}, "[9,1,2] array<int>"},
      {{"[1,2] array<int>", "-5 int", "9 int"}, "[9,null,null,1,2] array<int>"},
      {{"[] array<string>", "-1 int", "a string"}, "[a] array<string>"},
      {{"[1] array<int>", "null int", "9 int"}, "null array<int>"},
      {{"null array<int>", "1 int", "9 int"}, "null array<int>"},
      {{"[1] array<int>", "0 int", "9 int"}, "null array<int>", functions::kExternalError},
      {{"[1] array<int>", "2147483647 int", "9 int"}, "null array<int>", functions::kNeedsSpark},
  };
  static constexpr bool kSeesNulls = true;
  static constexpr bool can_fail(bool) { return true; }

  template <class Call>
  static auto bind(Call& call) {
    const auto array = call.argument("srcArrayExpr");
    const auto index = call.argument("posExpr");
    const auto value = call.argument("itemExpr");
    if (call.flag("legacyNegativeIndex", false)) call.refuse("that counts from the end as it once did");
    call.finish();
    return call.up_to_null({array, index, value}, call.call({array, index, value}));
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const std::vector<ListRows> lists{ListRows(call.argument(0))};
    const StoredRows rows(call.argument(1));
    const Integers indices(call.argument(1));
    const JoinedElements elements(call, lists, 0, call.arguments()[2]);
    ChosenElements chosen(call);
    std::vector<int64_t> nulls;
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (!call.counts(row)) {
      } else if (lists[0].is_null(row) || rows.is_null(row)) {
        nulls.push_back(row);
      } else if (!insert(elements, row, indices.at(row), chosen)) {
        indices.at(row) == 0 ? call.fail(row) : call.leave_to_spark(row);
      }
      chosen.end_row();
    }
    return with_nulls(chosen.finish(elements.column()), nulls, call.budget());
  }

 private:
  /// Adds a row's elements with its value among them; says whether an array can have it there.
  static bool insert(const JoinedElements& elements, int64_t row, int64_t index, ChosenElements& chosen) {
    const int64_t first = elements.first(0, row);
    const int64_t end = elements.end(0, row);
    const int64_t size = end - first;
    const int64_t place = index > 0 ? index - 1 : size + index + 1;
    const int64_t new_size = place < 0 ? -index : std::max(size, place) + 1;
    if (index == 0 || new_size > types::kMaxStringBytes) return false;
    if (place <= 0) {
      chosen.add(elements.place_of_other(row));
      chosen.add_times(-1, new_size - size - 1);
      chosen.add_all(first, end);
    } else {
      chosen.add_all(first, first + std::min(place, size));
      chosen.add_times(-1, std::max<int64_t>(place - size, 0));
      chosen.add(elements.place_of_other(row));
      chosen.add_all(first + std::min(place, size), end);
    }
    return true;
  }
};

}  // namespace accelerant::column_functions
