#pragma once

#include <cstdint>

/// What operators that write to disk reckon with, of rows and of groups.
namespace accelerant::operators {

/// What a value takes, about.
inline constexpr int64_t kUsualBytesOfValue = 16;
/// By which part of what it is memory is prepaid at a time.
inline constexpr int64_t kStepPart = 8;
/// What is left beside what stays in memory is enough for who reads it, for each worker; or as a part of it.
inline constexpr int64_t kEnoughBytes = 16 << 20;
inline constexpr int64_t kEnoughPart = 2;
/// A worker's share of memory is never taken for less.
inline constexpr int64_t kLeastShare = 256 << 10;

}  // namespace accelerant::operators
