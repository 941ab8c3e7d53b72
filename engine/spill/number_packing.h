#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace accelerant::spill {

/// Whole numbers that stand one after the other in a block.
struct NumberRun {
  int64_t offset;  ///< of the first one, in bytes
  int64_t count;
  int width;  ///< bytes of each: 2, 4, 8 or 16

  int64_t num_bytes() const { return count * width; }
  int64_t end() const { return offset + num_bytes(); }
};

/// Packs a block: the numbers of a run take as many bytes each as tell them apart from the run's least one, the others
/// stay. Returns how many bytes it wrote to `to`; nullopt where that is no less than `most_bytes`, or has no room.
/// @param runs ascending, none of which overlap
std::optional<int64_t> pack_numbers(std::span<const uint8_t> block, std::span<const NumberRun> runs, int64_t most_bytes,
                                    std::span<uint8_t> to);

/// Unpacks a block. Returns whether it is one that stands for as many bytes as `to` has room for.
/// @param packed may be the end of `to`
bool unpack_numbers(std::span<const uint8_t> packed, std::span<uint8_t> to);

}  // namespace accelerant::spill
