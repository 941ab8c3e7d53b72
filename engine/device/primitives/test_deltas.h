#pragma once

#include "base/bits.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

/// Streams of packed deltas for tests of their decoders.
namespace accelerant::device::deltas {

using Bytes = std::vector<uint8_t>;

inline void put_varint(Bytes& bytes, uint64_t number) {
  for (; number > 0x7f; number >>= 7) bytes.push_back(static_cast<uint8_t>(number | 0x80));
  bytes.push_back(static_cast<uint8_t>(number));
}
inline void put_signed(Bytes& bytes, int64_t number) {
  put_varint(bytes, static_cast<uint64_t>(number) << 1 ^ (number < 0 ? ~uint64_t{0} : 0));
}

inline void put_packed(Bytes& bytes, const std::vector<uint64_t>& numbers, int bit_width) {
  Bytes packed(numbers.size() * static_cast<size_t>(bit_width) / 8);
  for (size_t i = 0; i < numbers.size(); ++i) {
    for (int bit = 0; bit < bit_width; ++bit) {
      if ((numbers[i] >> bit) & 1) bits::set(packed.data(), static_cast<int64_t>(i) * bit_width + bit);
    }
  }
  bytes.insert(bytes.end(), packed.begin(), packed.end());
}

/// How a stream is cut up.
struct Cut {
  size_t num_miniblocks;
  size_t miniblock_size;
};

/// Appends the block of deltas from `first` on; those past the end are the least.
inline void put_block(Bytes& bytes, const std::vector<int64_t>& deltas, size_t first, const Cut& cut) {
  const size_t size = cut.num_miniblocks * cut.miniblock_size;
  const auto begin = deltas.begin() + static_cast<int64_t>(first);
  const size_t num_left = std::min(size, deltas.size() - first);
  const int64_t least = *std::min_element(begin, begin + static_cast<int64_t>(num_left));
  put_signed(bytes, least);
  std::vector<std::vector<uint64_t>> miniblocks(cut.num_miniblocks, std::vector<uint64_t>(cut.miniblock_size));
  for (size_t i = 0; i < num_left; ++i) {
    const uint64_t packed = static_cast<uint64_t>(deltas[first + i]) - static_cast<uint64_t>(least);
    miniblocks[i / cut.miniblock_size][i % cut.miniblock_size] = packed;
  }
  std::vector<int> widths;
  for (const auto& miniblock : miniblocks) {
    widths.push_back(std::bit_width(*std::max_element(miniblock.begin(), miniblock.end())));
    bytes.push_back(static_cast<uint8_t>(widths.back()));
  }
  for (size_t i = 0; i < miniblocks.size() && i * cut.miniblock_size < num_left; ++i) {
    put_packed(bytes, miniblocks[i], widths[i]);
  }
}

/// Encodes values as DELTA_BINARY_PACKED.
inline Bytes encode(const std::vector<int64_t>& values, const Cut& cut) {
  Bytes bytes;
  put_varint(bytes, cut.num_miniblocks * cut.miniblock_size);
  put_varint(bytes, cut.num_miniblocks);
  put_varint(bytes, values.size());
  put_signed(bytes, values.empty() ? 0 : values[0]);
  std::vector<int64_t> deltas;
  for (size_t i = 1; i < values.size(); ++i) {
    deltas.push_back(static_cast<int64_t>(static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(values[i - 1])));
  }
  for (size_t i = 0; i < deltas.size(); i += cut.num_miniblocks * cut.miniblock_size) put_block(bytes, deltas, i, cut);
  return bytes;
}

/// Random values whose deltas have so many bits.
inline std::vector<int64_t> some_values(int64_t n, int bit_width) {
  std::mt19937_64 random(static_cast<uint64_t>(n));
  std::vector<int64_t> values(static_cast<size_t>(n));
  uint64_t value = random();
  for (int64_t& each : values) {
    value += bit_width == 0 ? 3 : (random() >> (64 - bit_width)) - (uint64_t{1} << (bit_width - 1));
    each = static_cast<int64_t>(value);
  }
  return values;
}

}  // namespace accelerant::device::deltas
