#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::functions {

/// A whole number as Java's BigInteger.toByteArray gives it: the shortest big-endian two's complement.
struct ShortestBytes {
  ACC_HD explicit ShortestBytes(int128 number) {
    // The sign must show in the first byte that is kept.
    while (length < 15 && (number >> (8 * length + 7)) != (number < 0 ? -1 : 0)) ++length;
    ++length;
    for (int32 i = 0; i < length; ++i) bytes[i] = static_cast<char>(number >> (8 * (length - 1 - i)));
  }

  char bytes[16];
  int32 length = 0;
};

}  // namespace accelerant::functions
