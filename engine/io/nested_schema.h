#pragma once

#include "io/nested_column.h"
#include "io/scan.h"

#include <parquet/metadata.h>

#include <memory>

namespace accelerant::io {

/// Finds what of a nested column of a file makes up the wanted type: lists in their layouts of three and of two levels
/// and as repeated fields alone, maps, members of structs by name. Follows Spark's ParquetToSparkSchemaConverter and
/// ParquetReadSupport. Of a struct that lacks all wanted members one leaf is read, which tells where it is null.
/// @param node one of the schema's columns
/// @param wanted its type, or that of the member that it names
/// @param spec how members are found
/// @throws Error Unsupported naming the field, for layouts and types that Spark refuses or may read otherwise
std::shared_ptr<const NestedColumn> find_nested_column(const parquet::FileMetaData& metadata,
                                                       const parquet::schema::Node& node, const ScanColumn& wanted,
                                                       const ScanSpec& spec);

}  // namespace accelerant::io
