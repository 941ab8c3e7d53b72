#pragma once

#include "column_functions/stored_rows.h"
#include "column_functions/taken_rows.h"
#include "column_functions/value_order.h"

namespace accelerant::column_functions {

/// Returns for each row the value that a map (the first argument) has under a key (the second), null where it has none.
/// Like Spark it looks through the entries, first to last.
inline columns::ColumnPtr look_up(ColumnCall& call) {
  const ListRows maps(call.argument(0));
  const StoredRows keys(call.argument(1));
  columns::ColumnPtr result;
  with_equality(maps.elements(), keys.values(), [&](auto equal) {
    result = take_elements(call, maps.map_values(), [&](int64_t row) {
      const ElementRange entries = maps.range(row);
      const int64_t key = keys.place(row);
      for (int64_t entry = entries.first; entry < entries.end; ++entry) {
        if (equal(entry, key)) return entry;
      }
      return int64_t{-1};
    });
  });
  return result;
}

}  // namespace accelerant::column_functions
