#pragma once

#include "columns/column.h"
#include "io/nested_levels.h"
#include "io/parquet_write_schema.h"
#include "memory/buffer.h"

#include <parquet/column_writer.h>

#include <cstdint>
#include <memory>

namespace accelerant::io {

/// Turns rows of columns into what Arrow's column writers take, a few thousand at a time, and hands them over. One
/// serves all columns of a file.
class ColumnEncoder {
 public:
  /// @param budget pays for the buffers between
  explicit ColumnEncoder(const std::shared_ptr<memory::Budget>& budget);

  /// Appends rows [offset, offset + length) of a column of any encoding.
  /// @param storage as the writer's column was declared for the column's type
  void write(const columns::Column& column, int64_t offset, int64_t length, ValueStorage storage,
             parquet::ColumnWriter& writer);

  /// Appends what a leaf of a nested column holds for whole rows.
  /// @param leaf flat
  void write(const columns::Column& leaf, const LeafEntries& entries, ValueStorage storage,
             parquet::ColumnWriter& writer);

  /// Rows that are on their way to a writer: which of them have a value, and where these stand.
  struct Chunk {
    const columns::Column& values;  ///< flat
    int64_t num_rows = 0;
    int64_t num_values = 0;
    const int32_t* positions = nullptr;    ///< of the values in `values`
    const int16_t* levels = nullptr;       ///< definition levels: 1 for a row that has a value, else 0
    const int16_t* repetitions = nullptr;  ///< of a leaf of a nested column, whose entries take the place of rows
    uint8_t* converted = nullptr;          ///< room for the values in the writer's form
    uint8_t* bytes = nullptr;              ///< room for the bytes that these point to
    bool is_run = false;                   ///< positions ascend one by one
  };

 private:
  Chunk collect(const columns::Column& column, int64_t offset, int64_t num_rows);

  const std::shared_ptr<memory::Buffer> positions_;
  const std::shared_ptr<memory::Buffer> levels_;
  void reserve(int64_t num_values);

  const std::shared_ptr<memory::Budget> budget_;
  std::shared_ptr<memory::Buffer> converted_;
  std::shared_ptr<memory::Buffer> bytes_;
  int64_t capacity_ = 0;  ///< values that `converted_` and `bytes_` have room for
};

}  // namespace accelerant::io
