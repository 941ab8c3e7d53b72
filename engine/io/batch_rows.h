#pragma once

#include "io/parquet_file.h"

#include <cstdint>

namespace accelerant::io {

/// Entries of a leaf that a batch is to hold at most. Lists of 256 elements, on average, still come in whole batches.
inline constexpr int64_t kMostBatchEntries = int64_t{1} << 22;

/// Returns how many rows of a row group to read at a time, `most` at most: fewer where lists are long, so that a batch
/// takes no more memory for them than for what is short.
int64_t rows_at_a_time(const ParquetFile& file, int row_group, int64_t most);

}  // namespace accelerant::io
