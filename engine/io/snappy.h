#pragma once

#include <cstdint>
#include <span>

namespace accelerant::io {

/// Decompresses a block in snappy's format (google/snappy, format_description.txt) that stands for exactly `to.size()`
/// bytes. Whatever the block holds, only `from` is read and only `to` is written.
/// @return false where it is malformed or stands for another number of bytes; `to` holds anything then
bool decompress_snappy(std::span<const uint8_t> from, std::span<uint8_t> to);

}  // namespace accelerant::io
