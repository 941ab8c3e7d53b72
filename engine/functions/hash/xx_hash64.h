#pragma once

#include "base/macros.h"
#include "functions/hash/shortest_bytes.h"
#include "types/integers.h"

/// XXH64 (Yann Collet, https://github.com/Cyan4973/xxHash, BSD 2-Clause) as Spark's XxHash64 expression uses it: a
/// row's hash starts as a seed and each value's hash is the seed of the next. Integers hash as their little-endian
/// bytes.
///
/// Spark: org.apache.spark.sql.catalyst.expressions.XXH64.
namespace accelerant::functions {

namespace xx_hash64_detail {

inline constexpr uint64 kPrime1 = 0x9E3779B185EBCA87u;
inline constexpr uint64 kPrime2 = 0xC2B2AE3D27D4EB4Fu;
inline constexpr uint64 kPrime3 = 0x165667B19E3779F9u;
inline constexpr uint64 kPrime4 = 0x85EBCA77C2B2AE63u;
inline constexpr uint64 kPrime5 = 0x27D4EB2F165667C5u;

ACC_HD ACC_INLINE uint64 rotate_left(uint64 value, int32 bits) { return (value << bits) | (value >> (64 - bits)); }

ACC_HD ACC_INLINE uint64 load(const char* bytes, int32 count) {
  uint64 value = 0;
  for (int32 i = 0; i < count; ++i) value |= static_cast<uint64>(static_cast<uint8>(bytes[i])) << (8 * i);
  return value;
}

ACC_HD ACC_INLINE uint64 round(uint64 accumulator, uint64 input) {
  return rotate_left(accumulator + input * kPrime2, 31) * kPrime1;
}

ACC_HD ACC_INLINE uint64 mix_long(uint64 hash, uint64 value) {
  return rotate_left(hash ^ round(0, value), 27) * kPrime1 + kPrime4;
}

ACC_HD ACC_INLINE uint64 mix_int(uint64 hash, uint32 value) {
  return rotate_left(hash ^ (value * kPrime1), 23) * kPrime2 + kPrime3;
}

ACC_HD ACC_INLINE uint64 mix_byte(uint64 hash, uint8 value) {
  return rotate_left(hash ^ (value * kPrime5), 11) * kPrime1;
}

ACC_HD ACC_INLINE uint64 finish(uint64 hash) {
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

/// Hashes all whole stripes of 32 bytes.
ACC_HD inline uint64 hash_stripes(const char* bytes, int64 count, uint64 seed) {
  uint64 lanes[4] = {seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1};
  for (int64 stripe = 0; stripe < count; ++stripe) {
    for (int32 lane = 0; lane < 4; ++lane) lanes[lane] = round(lanes[lane], load(bytes + stripe * 32 + lane * 8, 8));
  }
  uint64 hash =
      rotate_left(lanes[0], 1) + rotate_left(lanes[1], 7) + rotate_left(lanes[2], 12) + rotate_left(lanes[3], 18);
  for (const uint64 lane : lanes) hash = (hash ^ round(0, lane)) * kPrime1 + kPrime4;
  return hash;
}

}  // namespace xx_hash64_detail

/// Hashes 4 bytes: boolean (0 or 1), byte, short, int, date, year-month interval.
ACC_HD ACC_INLINE uint64 xx_hash64_int(int32 value, uint64 seed) {
  using namespace xx_hash64_detail;
  return finish(mix_int(seed + kPrime5 + 4, static_cast<uint32>(value)));
}

/// Hashes 8 bytes: long, timestamps, day-time interval, the unscaled value of a decimal of up to 18 digits.
ACC_HD ACC_INLINE uint64 xx_hash64_long(int64 value, uint64 seed) {
  using namespace xx_hash64_detail;
  return finish(mix_long(seed + kPrime5 + 8, static_cast<uint64>(value)));
}

/// Hashes bytes: string, binary.
ACC_HD inline uint64 xx_hash64_bytes(const char* bytes, int64 length, uint64 seed) {
  using namespace xx_hash64_detail;
  const int64 stripes = length / 32;
  uint64 hash = (stripes > 0 ? hash_stripes(bytes, stripes, seed) : seed + kPrime5) + static_cast<uint64>(length);
  int64 i = stripes * 32;
  for (; i + 8 <= length; i += 8) hash = mix_long(hash, load(bytes + i, 8));
  if (i + 4 <= length) {
    hash = mix_int(hash, static_cast<uint32>(load(bytes + i, 4)));
    i += 4;
  }
  for (; i < length; ++i) hash = mix_byte(hash, static_cast<uint8>(bytes[i]));
  return finish(hash);
}

/// Hashes a decimal of more than 18 digits: the bytes of its unscaled value.
ACC_HD inline uint64 xx_hash64_wide_decimal(int128 unscaled, uint64 seed) {
  const ShortestBytes number(unscaled);
  return xx_hash64_bytes(number.bytes, number.length, seed);
}

}  // namespace accelerant::functions
