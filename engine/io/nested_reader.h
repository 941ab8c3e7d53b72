#pragma once

#include "io/column_reader.h"
#include "io/local_file.h"
#include "io/parquet_file.h"
#include "memory/budget.h"

#include <parquet/properties.h>

#include <memory>

namespace accelerant::io {

/// Returns what Arrow's reader is told of how it reads, on the calling thread alone.
parquet::ArrowReaderProperties nested_reader_properties();

/// Reads a nested column of a row group, by Arrow's reader.
/// @param file, bytes, column all outlive the reader; `column` is one of the file's and has leaves
/// @param case_sensitive how members of structs are found
/// @throws Error Resource on corrupt data and without memory
std::unique_ptr<ColumnReader> read_nested_column(const ParquetFile& file, const LocalFile& bytes, int row_group,
                                                 const FileColumn& column, bool case_sensitive,
                                                 const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
