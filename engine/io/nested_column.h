#pragma once

#include "io/parquet_column.h"
#include "types/data_type.h"

#include <cstddef>
#include <vector>

namespace accelerant::io {

/// A leaf of a nested column: a column chunk of each row group.
struct NestedLeaf {
  FileColumn column;     ///< where it lies, how its values become the scan's; its name is the path in the file
  int repetition;        ///< the highest of its repetition levels: the lists around a value
  int definition;        ///< the highest of its definition levels: that of values
  int place_definition;  ///< see NestedField; of the leaf's own place
  bool is_read;          ///< else it only tells which structs are null
};

/// A node of a nested column. It has a *place* for each element of the list right around it, or for each row: the
/// entries of a leaf below it that repeat no more than `repetition` and are defined as far as `place_definition`.
struct NestedField {
  /// Stands for a leaf where the file lacks the node.
  static constexpr size_t kNone = static_cast<size_t>(-1);

  types::DataType type;                    ///< of the scan
  int repetition = 0;                      ///< lists around it
  int place_definition = 0;                ///< the definition level from which on it has a place
  int definition = 0;                      ///< the definition level from which on it is not null
  size_t leaf = kNone;                     ///< the first leaf at or below it, by whose levels it is put together
  std::vector<NestedField> children = {};  ///< element; key and value; members, in the order of the type

  bool is_missing() const { return leaf == kNone; }
};

/// A nested column of one file: a tree over its leaves.
struct NestedColumn {
  std::vector<NestedLeaf> leaves;
  NestedField root;
};

/// Returns what has a chunk in each row group: a column itself, the leaves of a nested one, nothing where the file
/// lacks it. They live as long as the column.
std::vector<const FileColumn*> stored_columns(const FileColumn& column);

}  // namespace accelerant::io
