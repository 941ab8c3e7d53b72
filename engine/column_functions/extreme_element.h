#pragma once

#include "column_functions/stored_rows.h"
#include "column_functions/taken_rows.h"
#include "column_functions/value_order.h"

namespace accelerant::column_functions {

/// Returns of each array the first element that comes before all others, as `is_better(order of it and another)` says;
/// nulls are passed over.
template <class IsBetter>
columns::ColumnPtr extreme_elements(ColumnCall& call, IsBetter is_better) {
  const ListRows lists(call.argument(0));
  const NullRows nulls(lists.elements());
  columns::ColumnPtr result;
  with_order(lists.elements(), lists.elements(), [&](auto compare) {
    result = take_elements(call, lists.elements(), [&](int64_t row) {
      int64_t best = -1;
      const ElementRange range = lists.range(row);
      for (int64_t place = range.first; place < range.end; ++place) {
        if (nulls.has(place)) continue;
        if (best < 0 || is_better(compare(place, best))) best = place;
      }
      return best;
    });
  });
  return result;
}

}  // namespace accelerant::column_functions
