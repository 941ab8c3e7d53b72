#pragma once

#include "types/data_type.h"

#include <arrow/type_fwd.h>
#include <parquet/metadata.h>
#include <parquet/schema.h>

#include <memory>
#include <vector>

namespace accelerant::io {

/// What is read of a nested column of a file.
struct NestedSource {
  std::vector<int> leaves;      ///< positions among the file's leaf columns, ascending
  types::DataType stored_type;  ///< of what they hold: members in the file's order, under its names
};

/// Finds nested columns in a file's schema. Members are found by name; those that the file lacks are null. Follows
/// Spark's ParquetReadSupport for lists of three levels and maps as the format's specification has them; older forms
/// are left to Spark.
class NestedSchema {
 public:
  /// @param metadata outlives the object
  NestedSchema(const parquet::FileMetaData& metadata, bool case_sensitive)
      : metadata_(metadata), case_sensitive_(case_sensitive) {}

  /// Finds what is read of an array, a map or a struct.
  /// @param node a column of the file
  /// @throws Error Unsupported naming what can't be read
  NestedSource find(const parquet::schema::Node& node, const types::DataType& wanted);

 private:
  const arrow::DataType& type_that_arrow_gives(const parquet::schema::Node& node);

  const parquet::FileMetaData& metadata_;
  const bool case_sensitive_;
  std::shared_ptr<arrow::Schema> given_;  ///< made when it is first asked for
};

}  // namespace accelerant::io
