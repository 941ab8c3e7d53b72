#pragma once

#include <cstdint>
#include <span>

namespace accelerant::io {

/// Decompresses what Hadoop's LZ4 codec wrote, which parquet-mr calls LZ4: blocks of the number of bytes that they
/// stand for and chunks that are compressed apart, each behind its compressed length; numbers are of 4 bytes,
/// big-endian. Returns whether the bytes are that, and stand for as many as `to` has room for; other writers call other
/// framings so.
bool decompress_hadoop_lz4(std::span<const uint8_t> from, std::span<uint8_t> to);

}  // namespace accelerant::io
