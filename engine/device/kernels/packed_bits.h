#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::device::kernels {

/// Returns `width` bits (0 to 64) from bit `first` on, the least significant first. Reads no bytes but those that hold
/// them.
ACC_HD ACC_INLINE uint64 load_bits(const uint8* from, int64 first, int32 width) {
  const uint8* byte = from + first / 8;
  const int32 shift = static_cast<int32>(first % 8);
  uint64 bits = 0;
  for (int32 done = 0; done < width + shift; done += 8) {
    const uint64 next = *byte++;
    bits |= done < shift ? next >> shift : next << (done - shift);
  }
  return width < 64 ? bits & ((uint64{1} << width) - 1) : bits;
}

}  // namespace accelerant::device::kernels
