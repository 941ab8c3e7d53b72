#pragma once

#include "types/data_type.h"

#include <parquet/metadata.h>
#include <parquet/schema.h>

#include <vector>

namespace accelerant::io {

/// What is read of a nested column of a file.
struct NestedSource {
  std::vector<int> leaves;      ///< positions among the file's leaf columns, ascending
  types::DataType stored_type;  ///< of what they hold: members in the file's order, under its names
};

/// Finds what a file has of an array, a map or a struct. Members are found by name; those that the file lacks are null.
/// Follows Spark's ParquetReadSupport for lists of three levels and maps as the format's specification has them; older
/// forms are left to Spark.
/// @param node the column in the file's schema
/// @throws Error Unsupported naming what can't be read
NestedSource find_nested(const parquet::schema::Node& node, const types::DataType& wanted, bool case_sensitive,
                         const parquet::FileMetaData& metadata);

}  // namespace accelerant::io
