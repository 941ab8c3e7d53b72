#pragma once

#include "functions/definition.h"
#include "functions/hash/hash_chain.h"
#include "functions/hash/shortest_bytes.h"
#include "types/floating.h"

/// MurmurHash3_x86_32 (Austin Appleby, public domain) as Spark uses it: the bytes after the last whole word are mixed
/// in one by one, each as a signed integer of its own.
///
/// Spark: org.apache.spark.unsafe.hash.Murmur3_x86_32.
namespace accelerant::functions {

namespace murmur3_detail {

ACC_HD ACC_INLINE uint32 rotate_left(uint32 value, int32 bits) { return (value << bits) | (value >> (32 - bits)); }

ACC_HD ACC_INLINE uint32 mix(uint32 hash, uint32 word) {
  hash ^= rotate_left(word * 0xcc9e2d51u, 15) * 0x1b873593u;
  return rotate_left(hash, 13) * 5 + 0xe6546b64u;
}

ACC_HD ACC_INLINE int32 finish(uint32 hash, uint32 num_bytes) {
  hash ^= num_bytes;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
  return static_cast<int32>(hash ^ (hash >> 16));
}

ACC_HD ACC_INLINE int32 of_int(int32 value, int32 seed) {
  return finish(mix(static_cast<uint32>(seed), static_cast<uint32>(value)), 4);
}

ACC_HD ACC_INLINE int32 of_long(int64 value, int32 seed) {
  const auto bits = static_cast<uint64>(value);
  const uint32 low = mix(static_cast<uint32>(seed), static_cast<uint32>(bits));
  return finish(mix(low, static_cast<uint32>(bits >> 32)), 8);
}

ACC_HD ACC_INLINE uint32 load_word(const char* bytes) {
  uint32 word = 0;
  for (int32 i = 0; i < 4; ++i) word |= static_cast<uint32>(static_cast<uint8>(bytes[i])) << (8 * i);
  return word;
}

ACC_HD inline int32 of_bytes(const char* bytes, int32 length, int32 seed) {
  auto hash = static_cast<uint32>(seed);
  int32 i = 0;
  for (; i + 4 <= length; i += 4) hash = mix(hash, load_word(bytes + i));
  for (; i < length; ++i) hash = mix(hash, static_cast<uint32>(int32{static_cast<int8>(bytes[i])}));
  return finish(hash, static_cast<uint32>(length));
}

}  // namespace murmur3_detail

/// One step of Spark's hash of several values; `bind` makes the chain.
struct Murmur3Hash {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Murmur3Hash",
      .sql = "hash(expr1, expr2, ...)",
      .text =
          "Returns a hash of the values; the examples give the value of one column and the hash before it, 42 for "
          "the first.",
      .right_first = true,
  };
  using Signatures = HashSteps<types::IntType>;
  static constexpr Example kExamples[] = {
      {{"true boolean", "42 int"}, "-559580957 int"},
      {{"1 tinyint", "42 int"}, "-559580957 int"},
      {{"7 smallint", "42 int"}, "1079293707 int"},
      {{"-1 int", "42 int"}, "-1604776387 int"},
      {{"null int", "42 int"}, "null int"},
      {{"-1 bigint", "42 int"}, "-939490007 int"},
      {{"9223372036854775807 bigint", "42 int"}, "-1604625029 int"},
      {{"1.5 float", "42 int"}, "-221251528 int"},
      {{"-0.0 float", "42 int"}, "933211791 int"},
      {{"nan double", "42 int"}, "-1281358385 int"},
      {{"-inf double", "42 int"}, "461104036 int"},
      {{"1.50 decimal(3,2)", "42 int"}, "-2056712946 int"},
      {{"-123456789012345.678 decimal(18,3)", "42 int"}, "1466772144 int"},
      {{"0 decimal(19,0)", "42 int"}, "-783713497 int"},
      {{"-128 decimal(20,0)", "42 int"}, "775851899 int"},
      {{"128 decimal(20,0)", "42 int"}, "-544401882 int"},
      {{"12345678901234567890123456789012345678 decimal(38,0)", "42 int"}, "-1328266464 int"},
      {{" string", "42 int"}, "142593372 int"},
      {{"abcd string", "42 int"}, "-396302900 int"},
      {{"a string of more than twelve bytes string", "42 int"}, "-1873978905 int"},
      {{"é string", "42 int"}, "2119106806 int"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_hash(call, kDescription.spark_class);
  }

  ACC_HD static int32 call(bool value, int32 seed) { return murmur3_detail::of_int(value ? 1 : 0, seed); }
  ACC_HD static int32 call(int8 value, int32 seed) { return murmur3_detail::of_int(value, seed); }
  ACC_HD static int32 call(int16 value, int32 seed) { return murmur3_detail::of_int(value, seed); }
  ACC_HD static int32 call(int32 value, int32 seed) { return murmur3_detail::of_int(value, seed); }
  ACC_HD static int32 call(int64 value, int32 seed) { return murmur3_detail::of_long(value, seed); }
  ACC_HD static int32 call(float value, int32 seed) {
    const auto bits = __builtin_bit_cast(uint32, types::normalize_nan_and_zero(value));
    return murmur3_detail::of_int(static_cast<int32>(bits), seed);
  }
  ACC_HD static int32 call(double value, int32 seed) {
    return murmur3_detail::of_long(static_cast<int64>(types::bits_of(types::normalize_nan_and_zero(value))), seed);
  }
  ACC_HD static int32 call(types::StringRef value, int32 seed) {
    return murmur3_detail::of_bytes(value.data, value.length, seed);
  }

  ACC_HD static int32 call_narrow(int64 value, int32 seed, const types::DecimalContext& context) {
    return call_wide(value, seed, context);
  }
  /// Spark keeps the decimals of a type of up to 18 digits as integers, others as BigDecimal, whatever their value.
  ACC_HD static int32 call_wide(int128 value, int32 seed, const types::DecimalContext& context) {
    if (context.left_precision <= kDigitsOfLong) return murmur3_detail::of_long(static_cast<int64>(value), seed);
    const ShortestBytes number(value);
    return murmur3_detail::of_bytes(number.bytes, number.length, seed);
  }

 private:
  static constexpr int32 kDigitsOfLong = 18;
};

}  // namespace accelerant::functions
