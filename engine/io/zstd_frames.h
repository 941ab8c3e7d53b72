#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace accelerant::io {

/// Returns the most bytes that frames of ZSTD (RFC 8878) may stand for, as the heads of their blocks tell, without
/// decompressing them; nullopt where they are malformed.
std::optional<int64_t> largest_zstd_content(std::span<const uint8_t> frames);

}  // namespace accelerant::io
