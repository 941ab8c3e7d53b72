#pragma once

#include "io/parquet_write_options.h"
#include "io/value_storage.h"

#include <parquet/schema.h>

#include <memory>
#include <string>
#include <vector>

namespace accelerant::io {

/// A leaf of a file's schema.
struct WriteLeaf {
  std::string path;  ///< with dots between
  types::DataType type;
  ValueStorage storage;
  size_t column;  ///< of the file, which has it or is it
};

/// Returns the leaves of the schema that parquet_schema makes, in order.
std::vector<WriteLeaf> leaves_of(const std::shared_ptr<parquet::schema::GroupNode>& schema,
                                 const std::vector<WriteColumn>& columns, const ParquetWriteOptions& options);

/// Returns the schema that Spark's SparkToParquetSchemaConverter makes of the columns: lists of three levels.
/// @throws Error Unsupported naming a column of a type that is not written
std::shared_ptr<parquet::schema::GroupNode> parquet_schema(const std::vector<WriteColumn>& columns,
                                                           const ParquetWriteOptions& options);

}  // namespace accelerant::io
