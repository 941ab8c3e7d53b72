#pragma once

#include "io/column_reader.h"
#include "io/leaf_reader.h"
#include "io/nested_column.h"

#include <memory>
#include <vector>

namespace accelerant::io {

/// Reads a nested column of a row group: each leaf's chunk by itself, put together for some rows at a time.
class NestedReader final : public ColumnReader {
 public:
  /// @param column outlives the reader
  /// @param chunks one for each of the column's leaves
  NestedReader(const FileColumn& column, std::vector<ChunkSource> chunks, std::shared_ptr<memory::Budget> budget);

  columns::ColumnPtr read(int64_t n) override;
  columns::ColumnPtr read_at(std::span<const int32_t> rows, int64_t n) override;
  void skip(int64_t n) override;
  const ChunkSource* chunk() const override { return nullptr; }

 private:
  const FileColumn& column_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<std::unique_ptr<LeafReader>> leaves_;
};

}  // namespace accelerant::io
