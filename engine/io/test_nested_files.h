#pragma once

#include "columns/column.h"
#include "io/test_files.h"

#include <random>
#include <string>

/// Nested columns of Parquet files for unit tests: only tests include this.
namespace accelerant::io::test {

/// Makes a column of lists of another column's values. Some lists are null, some are empty, one has many elements.
TestColumn list_column(const TestColumn& element);

/// Makes a column of a flat nested column of ours, whose leaves are numbers of 64 bits and strings.
/// @param node how the file calls it, in a layout with the levels of the type's: nullable fields are optional
TestColumn nested_column(const columns::ColumnPtr& values, bool nullable, const parquet::schema::NodePtr& node);
/// Likewise, in the layout of Parquet's specification.
TestColumn nested_column(const std::string& name, const columns::ColumnPtr& values, bool nullable);

/// Returns how the specification stores a type: lists and maps in three levels.
parquet::schema::NodePtr node_of(const std::string& name, const types::DataType& type, bool nullable);

/// Makes a flat column of random values of such a type: numbers, strings, lists of up to five elements.
columns::ColumnPtr random_column(const types::DataType& type, bool nullable, int64_t num_rows, std::mt19937& random);

}  // namespace accelerant::io::test
