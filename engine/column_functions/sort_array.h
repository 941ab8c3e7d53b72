#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/floats.h"
#include "column_functions/value_order.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace accelerant::column_functions {

/// Spark leaves the order of -0.0 and 0.0 to how it runs.
struct SortArray {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.SortArray",
      .sql = "sort_array(array, ascending)",
      .text = "Sorts the elements; nulls come first, or last where the greatest does.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, boolean -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[3,null,1,2] array<int>", "true boolean"}, "[null,1,2,3] array<int>"},
      {{"[3,null,1,2] array<int>", "false boolean"}, "[3,2,1,null] array<int>"},
      {{"[b,a,ab] array<string>", "true boolean"}, "[a,ab,b] array<string>"},
      {{"[] array<int>", "true boolean"}, "[] array<int>"},
      {{"null array<int>", "true boolean"}, "null array<int>"},
  };

  static bool supports(std::span<const types::DataType> arguments, const types::DataType&) {
    return !have_floats(arguments);
  }

  template <class Call>
  static auto bind(Call& call) {
    const auto array = call.argument("base");
    const auto ascending = call.argument("ascendingOrder");
    call.finish();
    if (!call.builder().constant_of(ascending)) call.refuse("in an order that is no constant");
    return call.call({array, ascending});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    if (call.num_rows() == 0) return columns::Column::nulls(call.type(), 0, call.budget());
    const StoredRows orders(call.argument(1));
    const bool ascending = orders.values().values<uint8_t>()[orders.place(0)] != 0;
    const columns::Column& elements = ListRows(call.argument(0)).elements();
    columns::ColumnPtr result;
    with_order(elements, elements, [&](auto compare) {
      const auto before = [&](int32_t i, int32_t j) {
        const int order = compare_or_null(elements, i, j, compare);
        return ascending ? order < 0 : order > 0;
      };
      std::vector<int32_t> places;
      result = choose_elements(call, [&](const ListRows& lists, int64_t row, ChosenElements& chosen) {
        places.resize(static_cast<size_t>(lists.size(row)));
        std::iota(places.begin(), places.end(), lists.first(row));
        std::stable_sort(places.begin(), places.end(), before);
        for (const int32_t place : places) chosen.add(place);
      });
    });
    return result;
  }

 private:
  template <class Compare>
  static int compare_or_null(const columns::Column& elements, int32_t i, int32_t j, const Compare& compare) {
    const bool is_null = elements.is_null(i);
    if (is_null || elements.is_null(j)) return static_cast<int>(elements.is_null(j)) - static_cast<int>(is_null);
    return compare(i, j);
  }
};

}  // namespace accelerant::column_functions
