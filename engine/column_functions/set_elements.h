#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/floats.h"
#include "column_functions/joined_elements.h"
#include "column_functions/normalized_floats.h"
#include "column_functions/place_set.h"

#include <vector>

namespace accelerant::column_functions {

/// Binds a call of a function that takes arrays for sets; floats in older versions of Spark are left to it.
template <class Call>
auto bind_sets(Call& call) {
  const auto arrays = call.arguments();
  call.finish();
  for (const auto array : arrays) {
    if (has_floats(call.type_of(array)) && !has_sets_of_floats(call.spark_version())) call.refuse("of floats");
  }
  return call.call(arrays);
}

/// Returns arrays of elements of two arguments: `choose(left, right, set, chosen)` adds those of a row that counts; the
/// set is empty.
template <class Choose>
columns::ColumnPtr choose_of_both(const ColumnCall& call, Choose choose) {
  const std::vector<ListRows> lists = lists_of(call);
  const JoinedElements elements(call, lists, 0);
  ChosenElements chosen(call);
  with_set(elements.column(), call.budget(), [&](auto& set) {
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (call.counts(row)) {
        const ElementRange left{elements.first(0, row), elements.end(0, row)};
        const ElementRange right{elements.first(1, row), elements.end(1, row)};
        set.start(left.size() + right.size());
        choose(left, right, set, chosen);
      }
      chosen.end_row();
    }
  });
  return with_normalized_floats(chosen.finish(elements.column()), call.budget());
}

/// Adds elements to a set, and those that it lacked to a row's.
template <class Set>
void add_lacking(ElementRange elements, Set& set, ChosenElements& chosen) {
  for (int64_t place = elements.first; place < elements.end; ++place) {
    if (set.add(place)) chosen.add(place);
  }
}

template <class Set>
void add_to(Set& set, ElementRange elements) {
  for (int64_t place = elements.first; place < elements.end; ++place) set.add(place);
}

}  // namespace accelerant::column_functions
