#pragma once

#include <cstdint>
#include <cstring>

namespace accelerant::bits {

/// Bitmaps are Arrow's: bit i is bit (i % 8) of byte i / 8.
inline bool get(const uint8_t* bits, int64_t i) { return (bits[i >> 3] >> (i & 7)) & 1; }
inline void set(uint8_t* bits, int64_t i) { bits[i >> 3] = static_cast<uint8_t>(bits[i >> 3] | (1u << (i & 7))); }
inline void clear(uint8_t* bits, int64_t i) { bits[i >> 3] = static_cast<uint8_t>(bits[i >> 3] & ~(1u << (i & 7))); }
inline void assign(uint8_t* bits, int64_t i, bool value) { value ? set(bits, i) : clear(bits, i); }

/// Returns the bytes that hold `n` bits.
inline int64_t bytes_for(int64_t n) { return (n + 7) / 8; }

/// Sets bits [0, n) to `value`; leaves later bits of the last byte zero.
void fill(uint8_t* bits, int64_t n, bool value);
/// Counts the set bits of [offset, offset + n).
int64_t count(const uint8_t* bits, int64_t offset, int64_t n);
/// Copies `n` bits from `from` at `from_offset` to `to` at bit 0; leaves later bits of the last byte zero.
void copy(const uint8_t* from, int64_t from_offset, int64_t n, uint8_t* to);
/// Sets `to` (at bit 0) to the AND of itself and `n` bits of `other` at `other_offset`.
void and_with(uint8_t* to, const uint8_t* other, int64_t other_offset, int64_t n);
/// Packs the lowest bits of `n` bytes: a value under a null may be any byte.
void pack(const uint8_t* bytes, int64_t n, uint8_t* bits);
/// Unpacks `n` bits at `offset` into bytes, each 0 or 1.
void unpack(const uint8_t* bits, int64_t offset, int64_t n, uint8_t* bytes);

}  // namespace accelerant::bits
