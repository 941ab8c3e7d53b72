#pragma once

#include "base/macros.h"
#include "types/integers.h"

// Numbers of several digits, each of which has a sign and as many bits as an integer, to add to without regard to
// others: what an addition leaves a digit short of is carried to the next one.
namespace accelerant::functions {

/// Returns what is carried to the next digit when `value` is added to a digit that was `before`: -1, 0 or 1.
ACC_HD ACC_INLINE int64 carried(int64 before, int64 value) {
  const auto sum = static_cast<int64>(static_cast<uint64>(before) + static_cast<uint64>(value));
  if (((before ^ sum) & (value ^ sum)) >= 0) return 0;
  return value < 0 ? -1 : 1;
}
ACC_HD ACC_INLINE int64 carried(int32 before, int32 value) {
  const int64 sum = int64{before} + value;
  return sum == static_cast<int32>(sum) ? 0 : value < 0 ? -1 : 1;
}

}  // namespace accelerant::functions
