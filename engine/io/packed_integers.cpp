#include "io/packed_integers.h"

#include "base/macros.h"

#include <array>
#include <cstddef>
#include <utility>

namespace accelerant::io {

namespace {

ACC_INLINE uint64 load_word(const uint8* from) {
  uint64 word;
  ACC_COPY_BYTES(&word, from, sizeof word);
  return word;
}

/// Loads integer `kIndex` of a group, with other bits above it.
template <int kWidth, int kIndex>
ACC_INLINE uint64 load_integer(const uint8* from) {
  constexpr int kByte = kIndex * kWidth / 8;
  constexpr int kShift = kIndex * kWidth % 8;
  const uint64 word = load_word(from + kByte) >> kShift;
  if constexpr (kShift + kWidth <= 64) {
    return word;
  } else {
    return word | (uint64{from[kByte + 8]} << (64 - kShift));
  }
}

/// Returns a word with the lowest bits of each of its lanes set.
constexpr uint64 low_bits_of_lanes(int num_bits, int lane_bits) {
  uint64 mask = 0;
  for (int lane = 0; lane < 64; lane += lane_bits) mask |= ((uint64{1} << num_bits) - 1) << lane;
  return mask;
}

/// Moves the second of the two integers that are at the bottom of each lane to the middle of it.
template <int kBits, int kLaneBits>
ACC_INLINE uint64 part_lanes(uint64 word) {
  constexpr uint64 kLow = low_bits_of_lanes(kBits, kLaneBits);
  return (word & kLow) | (((word >> kBits) & kLow) << (kLaneBits / 2));
}

/// Unpacks one group to bytes, all at once: fours part, then pairs, then each.
template <int kWidth>
ACC_INLINE void unpack_bytes(const uint8* from, uint8* to) {
  const uint64 fours = part_lanes<4 * kWidth, 64>(load_word(from));
  const uint64 bytes = part_lanes<kWidth, 16>(part_lanes<2 * kWidth, 32>(fours));
  ACC_COPY_BYTES(to, &bytes, sizeof bytes);
}

/// Unpacks one group: with the width known, shifts and addresses are constants.
template <int kWidth, class Integer, int... kIndex>
ACC_INLINE void unpack_group(const uint8* from, Integer* to, std::integer_sequence<int, kIndex...>) {
  constexpr uint64 kMask = kWidth == 64 ? ~uint64{0} : (uint64{1} << (kWidth % 64)) - 1;
  if constexpr (kWidth <= 8) {
    const uint64 word = load_word(from);
    ((to[kIndex] = static_cast<Integer>((word >> (kIndex * kWidth)) & kMask)), ...);
  } else {
    ((to[kIndex] = static_cast<Integer>(load_integer<kWidth, kIndex>(from) & kMask)), ...);
  }
}

template <int kWidth, class Integer>
void unpack_width(const uint8* from, int64 num_groups, Integer* to) {
  for (int64 i = 0; i < num_groups; ++i) {
    if constexpr (sizeof(Integer) == 1) {
      unpack_bytes<kWidth>(from + i * kWidth, to + i * 8);
    } else {
      unpack_group<kWidth>(from + i * kWidth, to + i * 8, std::make_integer_sequence<int, 8>());
    }
  }
}

template <class Integer>
using Unpack = void (*)(const uint8*, int64, Integer*);

template <class Integer, int... kWidths>
constexpr std::array<Unpack<Integer>, sizeof...(kWidths)> make_table(std::integer_sequence<int, kWidths...>) {
  return {unpack_width<kWidths, Integer>...};
}

constexpr auto kByteUnpackers = make_table<uint8>(std::make_integer_sequence<int, 9>());
constexpr auto kUnpackers = make_table<uint32>(std::make_integer_sequence<int, 33>());
constexpr auto kWideUnpackers = make_table<uint64>(std::make_integer_sequence<int, 65>());

}  // namespace

void unpack_groups(const uint8* from, int bit_width, int64 num_groups, uint8* to) {
  kByteUnpackers[static_cast<size_t>(bit_width)](from, num_groups, to);
}

void unpack_groups(const uint8* from, int bit_width, int64 num_groups, uint32* to) {
  kUnpackers[static_cast<size_t>(bit_width)](from, num_groups, to);
}

void unpack_groups(const uint8* from, int bit_width, int64 num_groups, uint64* to) {
  kWideUnpackers[static_cast<size_t>(bit_width)](from, num_groups, to);
}

}  // namespace accelerant::io
