#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::functions {

ACC_HD inline bool is_finite(double value) { return value - value == 0; }

/// Java's conversion of a double to a long.
ACC_HD inline int64 saturate_to_int64(double value) {
  constexpr double kBound = 9223372036854775808.0;
  if (value >= kBound) return static_cast<int64>(~uint64{0} >> 1);
  if (value <= -kBound) return static_cast<int64>(uint64{1} << 63);
  return value == value ? static_cast<int64>(value) : 0;
}

}  // namespace accelerant::functions
