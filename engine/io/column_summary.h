#pragma once

#include "io/parquet_file.h"
#include "io/scan.h"

#include <memory>
#include <span>

namespace accelerant::io {

/// Summarises a column of some files: their footers, and, of a column without bounds, the header of a dictionary.
/// @param column position among the scan's columns; one that is read from the files
ColumnSummary summarize(std::span<const std::shared_ptr<const ParquetFile>> files, size_t column,
                        const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
