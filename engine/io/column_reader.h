#pragma once

#include "columns/column.h"

#include <cstdint>
#include <span>

namespace accelerant::io {

struct ChunkSource;

/// Reads the rows of one column of a row group in order. One thread at a time.
class ColumnReader {
 public:
  virtual ~ColumnReader() = default;
  /// Returns the next `n` rows.
  /// @throws Error Resource on corrupt data, Unsupported for what Spark does not read either
  virtual columns::ColumnPtr read(int64_t n) = 0;
  /// Returns those of the next `n` rows that are at `rows`, ascending and at least one; throws as `read` does.
  virtual columns::ColumnPtr read_at(std::span<const int32_t> rows, int64_t n) = 0;
  /// Passes over the next `n` rows. Cheap: the work is left to the next read.
  virtual void skip(int64_t n) = 0;
  /// Returns the one chunk that is read; nullptr where there are several.
  virtual const ChunkSource* chunk() const = 0;
};

}  // namespace accelerant::io
