#pragma once

#include "expressions/pruning.h"
#include "io/parquet_file.h"

#include <memory>

namespace accelerant::io {

/// Returns what a row group's footer says of a column of the file. Bounds that writers are known to get wrong, that are
/// NaN, or that the conversion to the scan's type does not keep in order are left out.
expressions::ColumnStatistics chunk_statistics(const ParquetFile& file, int row_group, const FileColumn& column,
                                               const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
