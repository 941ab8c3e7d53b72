#include "io/batch_rows.h"

#include "io/nested_column.h"

#include <parquet/metadata.h>

#include <algorithm>

namespace accelerant::io {

int64_t rows_at_a_time(const ParquetFile& file, int row_group, int64_t most) {
  const int64_t num_rows = file.row_groups[static_cast<size_t>(row_group)].num_rows;
  int64_t rows = most;
  for (const FileColumn& column : file.columns) {
    if (!column.is_nested()) continue;
    const auto group = file.metadata->RowGroup(row_group);
    for (const FileColumn* leaf : stored_columns(column)) {
      const int64_t entries_a_row = group->ColumnChunk(leaf->leaf)->num_values() / std::max<int64_t>(num_rows, 1);
      if (entries_a_row > 0) rows = std::min(rows, kMostBatchEntries / entries_a_row);
    }
  }
  return std::max<int64_t>(rows, 1);
}

}  // namespace accelerant::io
