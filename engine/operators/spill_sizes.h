#pragma once

#include <cstdint>

/// What the operators that go to disk reckon with.
namespace accelerant::operators {

/// What a value takes, about.
inline constexpr int64_t kUsualBytesOfValue = 16;
/// Prepaid memory grows by this part of itself at a time.
inline constexpr int64_t kStepPart = 8;
/// Rows or groups stay in memory where so much is left beside them for those who read them: so many bytes for each
/// worker, or this part of what they take if that is less.
inline constexpr int64_t kEnoughBytes = 16 << 20;
inline constexpr int64_t kEnoughPart = 2;
/// A worker's share of memory is never taken for less.
inline constexpr int64_t kLeastShare = 256 << 10;

}  // namespace accelerant::operators
