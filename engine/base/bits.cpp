#include "base/bits.h"

namespace accelerant::bits {

namespace {

/// Returns up to 8 bits at `offset`, reading only the bytes that hold them.
uint8_t load_byte(const uint8_t* bits, int64_t offset, int64_t n) {
  const int shift = static_cast<int>(offset & 7);
  unsigned value = bits[offset >> 3] >> shift;
  if (shift != 0 && n > 8 - shift) value |= static_cast<unsigned>(bits[(offset >> 3) + 1]) << (8 - shift);
  return static_cast<uint8_t>(n >= 8 ? value : value & ((1u << n) - 1));
}

}  // namespace

void fill(uint8_t* bits, int64_t n, bool value) {
  std::memset(bits, value ? 0xff : 0, static_cast<size_t>(bytes_for(n)));
  if (value && (n & 7)) bits[n >> 3] = static_cast<uint8_t>((1u << (n & 7)) - 1);
}

int64_t count(const uint8_t* bits, int64_t offset, int64_t n) {
  int64_t total = 0;
  int64_t i = 0;
  for (; i + 8 <= n && (offset & 7) != 0; i += 8) total += __builtin_popcount(load_byte(bits, offset + i, 8));
  if ((offset & 7) == 0) {
    for (; i + 64 <= n; i += 64) {
      uint64_t word;
      std::memcpy(&word, bits + ((offset + i) >> 3), 8);
      total += __builtin_popcountll(word);
    }
    for (; i + 8 <= n; i += 8) total += __builtin_popcount(bits[(offset + i) >> 3]);
  }
  if (i < n) total += __builtin_popcount(load_byte(bits, offset + i, n - i));
  return total;
}

void copy(const uint8_t* from, int64_t from_offset, int64_t n, uint8_t* to) {
  for (int64_t i = 0; i < n; i += 8) to[i >> 3] = load_byte(from, from_offset + i, n - i);
}

void and_with(uint8_t* to, const uint8_t* other, int64_t other_offset, int64_t n) {
  for (int64_t i = 0; i < n; i += 8) to[i >> 3] &= load_byte(other, other_offset + i, n - i);
}

void pack(const uint8_t* bytes, int64_t n, uint8_t* bits) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    word &= 0x0101010101010101ull;
    bits[i >> 3] = static_cast<uint8_t>((word * 0x0102040810204080ull) >> 56);
  }
  if (i < n) {
    unsigned value = 0;
    for (int64_t j = i; j < n; ++j) value |= static_cast<unsigned>(bytes[j] & 1) << (j - i);
    bits[i >> 3] = static_cast<uint8_t>(value);
  }
}

void unpack(const uint8_t* bits, int64_t offset, int64_t n, uint8_t* bytes) {
  for (int64_t i = 0; i < n; ++i) bytes[i] = get(bits, offset + i);
}

}  // namespace accelerant::bits
