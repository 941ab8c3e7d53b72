#include "io/key_filtering.h"

#include "expressions/key_set.h"

#include <memory>
#include <numeric>

namespace accelerant::io {

namespace {

/// After so many rows a filter must have dropped one of ten of them.
constexpr int64_t kFilterTrialRows = 64 * 1024;

}  // namespace

KeyFiltering::KeyFiltering(const std::vector<execution::KeyFilter>& filters) {
  for (const execution::KeyFilter& filter : filters) filters_.push_back({filter});
}

bool KeyFiltering::is_active(size_t filter) const {
  const State& state = filters_[filter];
  return state.rows_asked < kFilterTrialRows || state.rows_kept < state.rows_asked / 10 * 9;
}

bool KeyFiltering::drops_all(size_t filter, const expressions::ColumnStatistics& statistics, int64_t num_rows) const {
  const expressions::KeySet& keys = *filters_[filter].filter.keys;
  if (keys.is_empty()) return true;
  if (statistics.null_count == num_rows) return !keys.has_nulls();
  if (keys.has_nulls() && statistics.null_count != 0) return false;
  if (!statistics.min || !statistics.max) return false;
  return !keys.may_meet(expressions::number_at(*statistics.min, 0), expressions::number_at(*statistics.max, 0));
}

void KeyFiltering::apply(size_t filter, columns::Batch& batch) {
  if (!batch.errors.empty()) return;
  State& state = filters_[filter];
  const columns::Column& column = *batch.columns[static_cast<size_t>(state.filter.column)];
  auto rows = std::make_shared<std::vector<int32_t>>();
  if (batch.selection) {
    *rows = *batch.selection;
  } else {
    rows->resize(static_cast<size_t>(batch.num_rows));
    std::iota(rows->begin(), rows->end(), 0);
  }
  state.rows_asked += static_cast<int64_t>(rows->size());
  state.filter.keys->keep_members(column, *rows);
  state.rows_kept += static_cast<int64_t>(rows->size());
  if (static_cast<int64_t>(rows->size()) < batch.num_selected()) batch.selection = std::move(rows);
}

}  // namespace accelerant::io
