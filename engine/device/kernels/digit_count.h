#pragma once

#include "device/block.h"

namespace accelerant::device::kernels {

/// What a tile has published of one digit: how many keys have it, in the tile or also in all before it, and which of
/// the two. A word of an earlier pass counts as nothing, so that words are 0 at the start of the first pass alone.
struct DigitCount {
  static constexpr int32 kStateShift = 56;

  /// Returns the state of a word that has the number of the tile's own keys; the one above it is that of a word with
  /// the place after them in the order of all keys.
  ACC_HD static uint64 own_state(int32 pass) { return 2 * static_cast<uint64>(pass) + 1; }
  ACC_HD static uint64 word(uint64 state, int64 count) { return state << kStateShift | static_cast<uint64>(count); }
  ACC_HD static uint64 state_of(uint64 word) { return word >> kStateShift; }
  ACC_HD static int64 count_of(uint64 word) { return static_cast<int64>(word & ((uint64{1} << kStateShift) - 1)); }
};

}  // namespace accelerant::device::kernels
