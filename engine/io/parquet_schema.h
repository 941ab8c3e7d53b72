#pragma once

#include "io/parquet_column.h"
#include "io/scan.h"

#include <parquet/metadata.h>

#include <optional>
#include <string>
#include <vector>

namespace accelerant::io {

/// Says how stored values become those of a flat type; nothing where they can't.
std::optional<ValueKind> kind_of(const parquet::ColumnDescriptor& descriptor, const types::DataType& wanted);

/// Finds the scan's columns in a file by name and says how to read each. Partition columns and columns that the file
/// lacks have no leaf. Follows Spark's vectorised reader (ParquetVectorUpdaterFactory); what is doubtful is left to
/// Spark.
/// @throws Error Unsupported naming file, column and types
std::vector<FileColumn> map_columns(const ScanSpec& spec, const parquet::FileMetaData& metadata,
                                    const std::string& uri);

}  // namespace accelerant::io
