#pragma once

#include "column_functions/spread_elements.h"

#include <algorithm>

namespace accelerant::column_functions {

/// Looks in each row for the first element for which a condition is `wanted`, and no further: the row is `wanted` where
/// there is one. Else it is null where the condition was null for some element, and else not
/// `wanted`. What fails before counts.
inline columns::ColumnPtr look_for_element(ColumnCall& call, bool wanted) {
  const ListRows lists(call.argument(0));
  const SpreadElements elements(call, lists);
  const LambdaResult result = elements.run_apart(call.lambda(0), {elements.values(lists.elements())});
  const columns::ColumnPtr condition = columns::flatten(result.column, call.budget());
  columns::FlatBuilder builder(call.type(), types::PhysicalType::Bool, call.num_rows(), call.budget());
  auto failed = result.failed.begin();
  for (int64_t row = 0; row < call.num_rows(); ++row) {
    bool is_found = false;
    bool met_null = false;
    const auto end = elements.offsets()[static_cast<size_t>(row) + 1];
    failed = std::lower_bound(failed, result.failed.end(), elements.offsets()[static_cast<size_t>(row)]);
    for (int32_t element = elements.offsets()[static_cast<size_t>(row)]; element < end && !is_found; ++element) {
      if (failed != result.failed.end() && *failed == element) {
        call.fail(row);
        break;
      }
      const bool is_null = condition->is_null(element);
      met_null |= is_null;
      is_found = !is_null && (condition->values<uint8_t>()[element] != 0) == wanted;
    }
    builder.values<uint8_t>()[row] = is_found == wanted;
    if (!is_found && met_null) bits::clear(builder.validity(), row);
  }
  return builder.finish();
}

}  // namespace accelerant::column_functions
