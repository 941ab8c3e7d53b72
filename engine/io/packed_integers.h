#pragma once

#include "types/integers.h"

namespace accelerant::io {

/// Unpacks `num_groups` groups of 8 integers of `bit_width` bits (0 to 32), least significant bit first. Reads up to 8
/// bytes past the last group.
void unpack_groups(const uint8* from, int bit_width, int64 num_groups, uint32* to);
/// Likewise; up to 8 bits.
void unpack_groups(const uint8* from, int bit_width, int64 num_groups, uint8* to);
/// Likewise; up to 64 bits.
void unpack_groups(const uint8* from, int bit_width, int64 num_groups, uint64* to);

/// Unpacks `n` integers of groups, from the one at `first` on: whole groups where it can, the ends of a group through a
/// small copy.
template <class T>
void unpack_from(const uint8* groups, int bit_width, int64 first, int64 n, T* to) {
  while (n > 0) {
    const uint8* group = groups + first / 8 * bit_width;
    const int64 skipped = first % 8;
    int64 taken = n / 8 * 8;
    if (skipped == 0 && taken > 0) {
      unpack_groups(group, bit_width, taken / 8, to);
    } else {
      T integers[8];
      unpack_groups(group, bit_width, 1, integers);
      taken = n < 8 - skipped ? n : 8 - skipped;
      for (int64 i = 0; i < taken; ++i) to[i] = integers[skipped + i];
    }
    first += taken;
    to += taken;
    n -= taken;
  }
}

}  // namespace accelerant::io
