#pragma once

#include <cstdint>
#include <limits>

namespace accelerant::io {

/// The `typeId` of Spark's compression schemes for columns of cached relations.
enum class CachedScheme : int32_t {
  PassThrough = 0,
  RunLengths = 1,
  Dictionary = 2,
  Bits = 3,
  IntDeltas = 4,
  LongDeltas = 5
};

/// Values that a dictionary has at most.
inline constexpr int64_t kMostCachedDistinct = std::numeric_limits<int16_t>::max();

}  // namespace accelerant::io
