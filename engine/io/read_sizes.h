#pragma once

#include <cstdint>

/// How much of a file is read at once.
namespace accelerant::io {

/// What one read fetches of a file's end: most footers are smaller.
inline constexpr int64_t kTailBytes = 64 * 1024;
/// What lies closer together than this is read at once.
inline constexpr int64_t kMaxGapBytes = 64 * 1024;

}  // namespace accelerant::io
