#include "expressions/error_lane.h"

#include <algorithm>

namespace accelerant::expressions {

namespace {

ErrorLane shared_unless_empty(std::vector<LaneError> errors) {
  if (errors.empty()) return nullptr;
  return std::make_shared<const std::vector<LaneError>>(std::move(errors));
}

}  // namespace

ErrorLane merge(const ErrorLane& first, const ErrorLane& second) {
  if (!second) return first;
  if (!first) return second;
  std::vector<LaneError> merged;
  merged.reserve(first->size() + second->size());
  auto next = second->begin();
  for (const LaneError& error : *first) {
    for (; next != second->end() && next->row < error.row; ++next) merged.push_back(*next);
    if (next != second->end() && next->row == error.row) ++next;
    merged.push_back(error);
  }
  merged.insert(merged.end(), next, second->end());
  return shared_unless_empty(std::move(merged));
}

ErrorLane where_valid(const ErrorLane& lane, const columns::Column& column) {
  if (!lane || !column.may_have_nulls()) return lane;
  return filter(lane, [&](int32_t row) { return !column.is_null(row); });
}

ErrorLane gather(const ErrorLane& lane, const std::vector<int32_t>& rows) {
  if (!lane) return nullptr;
  std::vector<LaneError> gathered;
  auto place = rows.begin();
  for (const LaneError& error : *lane) {
    place = std::lower_bound(place, rows.end(), error.row);
    if (place == rows.end()) break;
    if (*place != error.row) continue;
    gathered.push_back({static_cast<int32_t>(place - rows.begin()), error.expression, error.code});
  }
  return shared_unless_empty(std::move(gathered));
}

ErrorLane repeat(const ErrorLane& lane, int64_t num_rows) {
  if (!lane) return nullptr;
  std::vector<LaneError> repeated(static_cast<size_t>(num_rows), lane->front());
  for (int64_t row = 0; row < num_rows; ++row) repeated[static_cast<size_t>(row)].row = static_cast<int32_t>(row);
  return shared_unless_empty(std::move(repeated));
}

ErrorLane spread(const ErrorLane& lane, const columns::Column& column) {
  if (!lane) return nullptr;
  std::vector<const LaneError*> by_index(static_cast<size_t>(column.child_values()->length()), nullptr);
  for (const LaneError& error : *lane) by_index[static_cast<size_t>(error.row)] = &error;
  std::vector<LaneError> errors;
  const int32_t* indices = column.indices();
  for (int64_t row = 0; row < column.length(); ++row) {
    const LaneError* error = by_index[static_cast<size_t>(indices[row])];
    if (!error) continue;
    if (column.validity() && !bits::get(column.validity(), column.offset() + row)) continue;
    errors.push_back({static_cast<int32_t>(row), error->expression, error->code});
  }
  return shared_unless_empty(std::move(errors));
}

}  // namespace accelerant::expressions
