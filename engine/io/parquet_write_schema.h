#pragma once

#include "io/parquet_write_options.h"
#include "io/value_storage.h"

#include <parquet/schema.h>

#include <memory>
#include <vector>

namespace accelerant::io {

/// Returns the schema that Spark's SparkToParquetSchemaConverter makes of the columns.
/// @throws Error Unsupported naming a column of a type that is not written
std::shared_ptr<parquet::schema::GroupNode> parquet_schema(const std::vector<WriteColumn>& columns,
                                                           const ParquetWriteOptions& options);

}  // namespace accelerant::io
