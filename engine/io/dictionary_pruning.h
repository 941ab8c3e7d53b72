#pragma once

#include "execution/context.h"
#include "io/page_index.h"
#include "io/scan_filter.h"

#include <cstddef>
#include <optional>
#include <span>

namespace accelerant::io {

/// Returns where a chunk's dictionary page lies, if all values of the chunk come from it and it is so much smaller than
/// the chunk that reading it alone may pay; else nullopt.
std::optional<ChunkRange> find_small_dictionary(const ParquetFile& file, int row_group, const FileColumn& column);

/// Says whether filters that read one column and cannot fail leave no value of a chunk's dictionary, and no null where
/// the chunk may have one. False where the dictionary cannot be read: who reads the column says why.
/// @param range from find_small_dictionary
/// @param position of the chunk's column among the scan's
bool drops_all_values(std::span<ScanFilter* const> filters, const IndexedChunk& chunk, ChunkRange range,
                      size_t position, bool may_have_nulls, const execution::OperatorContext& ctx);

}  // namespace accelerant::io
