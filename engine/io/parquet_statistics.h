#pragma once

#include "expressions/pruning.h"
#include "io/parquet_file.h"

#include <memory>
#include <string>

namespace accelerant::io {

/// Returns what a row group's footer says of a column of the file. Bounds that writers are known to get wrong, that are
/// NaN, or that the conversion to the scan's type does not keep in order are left out.
expressions::ColumnStatistics chunk_statistics(const ParquetFile& file, int row_group, const FileColumn& column,
                                               const std::shared_ptr<memory::Budget>& budget);

/// The least and the greatest of a column's values as a file stores them.
struct StoredBounds {
  const std::string& min;
  const std::string& max;
};

/// Sets the bounds of `statistics` from stored ones, as chunk_statistics does.
void set_bounds(expressions::ColumnStatistics& statistics, const StoredBounds& stored, const FileColumn& column,
                const parquet::ColumnDescriptor& descriptor, const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
