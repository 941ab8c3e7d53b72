#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace accelerant::io {

/// Compresses bytes as one block of LZ4. Returns how many it wrote to `to`; nullopt where there is no room for them.
std::optional<int64_t> compress_lz4(std::span<const uint8_t> from, std::span<uint8_t> to);

/// Decompresses a block. Returns whether it is one that stands for as many bytes as `to` has room for.
bool decompress_lz4(std::span<const uint8_t> from, std::span<uint8_t> to);

}  // namespace accelerant::io
