#pragma once

#include "column_functions/spread_elements.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace accelerant::column_functions {

/// Looks for elements for which a condition is `wanted`, in rows that have no element for which it is null or failed.
inline void look_for_true(const columns::Column& condition, std::span<const int32_t> offsets, bool wanted,
                          uint8_t* to) {
  const auto* is_true = condition.values<uint8_t>();
  for (size_t row = 0; row + 1 < offsets.size(); ++row) {
    bool is_found = false;
    for (int32_t element = offsets[row]; element < offsets[row + 1]; ++element) {
      is_found |= (is_true[element] != 0) == wanted;
    }
    to[row] = is_found == wanted;
  }
}

/// Looks in each row for the first element for which a condition is `wanted`, and no further: the row is `wanted` where
/// there is one. Else it is null where the condition was null for some element, and else not
/// `wanted`. What fails before counts.
inline columns::ColumnPtr look_for_element(ColumnCall& call, bool wanted) {
  const ListRows lists(call.argument(0));
  const SpreadElements elements(call, lists);
  const LambdaResult result = elements.run_apart(call.lambda(0), {elements.values(lists.elements())});
  const columns::ColumnPtr condition = columns::flatten(result.column, call.budget());
  const NullRows nulls(*condition);
  columns::FlatBuilder builder(call.type(), types::PhysicalType::Bool, call.num_rows(), call.budget());
  if (result.failed.empty() && !nulls.may_have_some()) {
    look_for_true(*condition, elements.offsets(), wanted, builder.values<uint8_t>());
    return builder.finish();
  }
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
      const bool is_null = nulls.has(element);
      met_null |= is_null;
      is_found = !is_null && (condition->values<uint8_t>()[element] != 0) == wanted;
    }
    builder.values<uint8_t>()[row] = is_found == wanted;
    if (!is_found && met_null) bits::clear(builder.validity(), row);
  }
  return builder.finish();
}

}  // namespace accelerant::column_functions
