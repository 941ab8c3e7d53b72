#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::io {

/// Says which row groups of a serialised footer, Parquet's FileMetaData, say how many bytes they have
/// (total_compressed_size), be it 0: Arrow's metadata has 0 where a writer left the field out. Fewer than there are
/// where it is corrupt.
std::vector<bool> sized_row_groups(std::span<const uint8_t> footer);

}  // namespace accelerant::io
