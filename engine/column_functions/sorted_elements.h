#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/value_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace accelerant::column_functions {

/// Returns the arrays of the first argument sorted.
inline columns::ColumnPtr sort_elements(const ColumnCall& call, bool ascending, bool nulls_first) {
  const ListRows all(call.argument(0));
  const columns::Column& elements = all.elements();
  columns::ColumnPtr result;
  with_order(elements, elements, [&](auto compare) {
    const auto before = [&](int32_t i, int32_t j) {
      const bool is_null = elements.is_null(i);
      const bool other_is_null = elements.is_null(j);
      if (is_null || other_is_null) return is_null != other_is_null && is_null == nulls_first;
      const int order = compare(i, j);
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

}  // namespace accelerant::column_functions
