#pragma once

#include "columns/column.h"
#include "types/data_type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accelerant::io {

/// What Spark keeps beside a cached column (ColumnStats), to leave out batches that a predicate leaves nothing of.
struct CachedStatistics {
  /// A field of an UnsafeRow.
  struct Bound {
    enum class Kind : uint8_t { Null, Slot, Bytes };

    Kind kind = Kind::Null;
    uint64_t slot = 0;  ///< of a value of at most eight bytes, padded with zeros
    std::string bytes;
  };

  Bound lower, upper;
  int32_t num_nulls = 0;
  int32_t num_rows = 0;
  int64_t size_bytes = 0;  ///< as Spark counts, before compression
};

/// Says whether `write_cached_column` takes values of a type.
bool can_cache(const types::DataType& type);

/// Appends a column as Spark's column builders lay it out for a cached relation, to the byte.
/// @param column flat
/// @param is_compressed whether one of Spark's schemes is taken where that pays, as Spark judges
CachedStatistics write_cached_column(const columns::Column& column, bool is_compressed, std::vector<uint8_t>& out);

/// Returns the bytes that Spark counts for some rows of a column, in whatever encoding, towards the size of a batch.
int64_t cached_bytes(const columns::Column& column, int64_t first, int64_t num_rows);

}  // namespace accelerant::io
