#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace accelerant::memory {

/// Checks that offsets, which are int32, reach the end of a batch's arrays, maps or bytes.
/// @param total where the last one ends
/// @param of what they count, for people
/// @throws Error Unsupported where they do not: Spark, whose rows have arrays of their own, runs the query
inline void check_offsets(int64_t total, std::string_view of) {
  if (total > INT32_MAX) throw_unsupported("a batch has more than 2^31 " + std::string(of));
}

}  // namespace accelerant::memory
