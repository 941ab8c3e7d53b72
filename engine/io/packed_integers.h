#pragma once

#include "types/integers.h"

namespace accelerant::io {

/// Unpacks `num_groups` groups of 8 integers of `bit_width` bits (0 to 32), least significant bit first. Reads up to 8
/// bytes past the last group.
void unpack_groups(const uint8* from, int bit_width, int64 num_groups, uint32* to);
/// Likewise; up to 64 bits.
void unpack_groups(const uint8* from, int bit_width, int64 num_groups, uint64* to);

}  // namespace accelerant::io
