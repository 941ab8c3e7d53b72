#pragma once

#include "io/parquet_column.h"
#include "io/scan.h"

#include <parquet/metadata.h>

namespace accelerant::io {

/// Refuses leaves whose dates are in the old hybrid calendar (Spark's DataSourceUtils.datetimeRebaseSpec and
/// int96RebaseSpec), unless statistics show that it counts them as today's does.
/// @throws Error Unsupported naming the version of Spark that wrote the file
void check_calendar(const parquet::FileMetaData& metadata, int leaf, ValueKind kind, const types::DataType& type);

/// Refuses a column of a file that does not say by which calendar its dates are, where that need not be today's and
/// makes a difference.
/// @throws Error Unsupported
void check_version(const ScanSpec& spec, const ScanColumn& wanted, const FileColumn& column,
                   const parquet::FileMetaData& metadata);

}  // namespace accelerant::io
