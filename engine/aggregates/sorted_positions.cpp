#include "aggregates/sorted_positions.h"

#include "column_functions/value_order.h"

#include <algorithm>

namespace accelerant::aggregates {

namespace {

int compare(const columns::Column& column, const ValueOrder& order, int32_t i, int32_t j) {
  const bool is_null = column.is_null(i);
  const bool other_is_null = column.is_null(j);
  if (is_null && other_is_null) return 0;
  if (is_null || other_is_null) return is_null == order.nulls_last ? 1 : -1;
  const int compared = column_functions::compare_values(column, i, column, j);
  return order.descending ? -compared : compared;
}

}  // namespace

std::vector<int32_t> sorted_positions(const columns::Column& structs, std::span<const int32_t> rows,
                                      std::span<const ValueOrder> orders) {
  const auto offset = static_cast<int32_t>(structs.offset());
  std::vector<int32_t> sorted(rows.begin(), rows.end());
  std::stable_sort(sorted.begin(), sorted.end(), [&](int32_t i, int32_t j) {
    for (size_t k = 0; k < orders.size(); ++k) {
      const int compared = compare(*structs.children()[k + 1], orders[k], offset + i, offset + j);
      if (compared != 0) return compared < 0;
    }
    return false;
  });
  return sorted;
}

}  // namespace accelerant::aggregates
