#include "columns/batch.h"

#include "columns/refer.h"

#include <algorithm>
#include <utility>

namespace accelerant::columns {

Batch slice(const Batch& batch, int64_t offset, int64_t length) {
  Batch part;
  part.num_rows = length;
  for (const ColumnPtr& column : batch.columns) part.columns.push_back(column->slice(offset, length));
  return part;
}

Batch compact(Batch batch, const std::shared_ptr<memory::Budget>& budget) {
  if (!batch.selection) return batch;
  const std::span<const int32_t> rows(*batch.selection);
  for (auto& column : batch.columns) {
    if (column) column = refer(*column, rows, budget);
  }
  for (auto& error : batch.errors) {
    error.row = static_cast<int32_t>(std::lower_bound(rows.begin(), rows.end(), error.row) - rows.begin());
  }
  batch.num_rows = static_cast<int64_t>(rows.size());
  batch.selection = nullptr;
  return batch;
}

}  // namespace accelerant::columns
