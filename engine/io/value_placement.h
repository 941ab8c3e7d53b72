#pragma once

#include <cstdint>

namespace accelerant::io {

/// Writes `n` values of a dictionary, `width` bytes each (a power of two up to 16), to `to`: those at `index`, which
/// must lie in it.
void look_up_width(int width, const uint8_t* dictionary, const uint32_t* index, int64_t n, uint8_t* to);

/// Moves `count` values of `width` bytes at the start of `values` to the places of the set bits of [position,
/// position + n); the other places become zero.
void spread_width(int width, uint8_t* values, const uint8_t* bitmap, int64_t position, int64_t n, int64_t count);

}  // namespace accelerant::io
