#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::types {

/// Reads an unsigned number in groups of seven bits, the least first (ULEB128), and moves `data` behind it. Returns
/// false when it does not end before `end`, or has more than 64 bits.
ACC_HD ACC_INLINE bool read_varint(const uint8*& data, const uint8* end, uint64& value) {
  value = 0;
  for (int shift = 0; shift < 64 && data < end; shift += 7) {
    const uint8 byte = *data++;
    value |= static_cast<uint64>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

/// Returns the signed number that an unsigned one stands for: 0, -1, 1, -2, …
ACC_HD ACC_INLINE int64 unzigzag(uint64 value) {
  return static_cast<int64>(value >> 1) ^ -static_cast<int64>(value & 1);
}

}  // namespace accelerant::types
