#include "functions/hash/xx_hash64.h"

#define XXH_INLINE_ALL
#include <gtest/gtest.h>
#include <xxhash.h>

#include <string>

namespace accelerant::functions {
namespace {

constexpr uint64 kSeed = 42;

int64 hash_int(int32 value) { return static_cast<int64>(xx_hash64_int(value, kSeed)); }
int64 hash_long(int64 value) { return static_cast<int64>(xx_hash64_long(value, kSeed)); }
int64 hash_wide(int128 value) { return static_cast<int64>(xx_hash64_wide_decimal(value, kSeed)); }
int64 hash_text(const std::string& text) {
  return static_cast<int64>(xx_hash64_bytes(text.data(), static_cast<int64>(text.size()), kSeed));
}

// Expected values come from xxhash64(...) in Spark 4.3.0.

TEST(XxHash64, HashesIntegersAsSpark) {
  EXPECT_EQ(hash_int(0), 3614696996920510707);
  EXPECT_EQ(hash_int(1), -6698625589789238999);
  EXPECT_EQ(hash_int(-1), 2017008487422258757);
  EXPECT_EQ(hash_int(2147483647), 1508894993788531228);
  EXPECT_EQ(hash_int(-128), 4160238337661960656);
  EXPECT_EQ(hash_int(10471), -8822311600126833360);  // date'1998-09-02'
  EXPECT_EQ(hash_long(0), -5252525462095825812);
  EXPECT_EQ(hash_long(-1), 3858142552250413010);
  EXPECT_EQ(hash_long(9223372036854775807), -3246596055638297850);
  EXPECT_EQ(hash_long(1577836800000000), 7881863312764026046);  // timestamp_ntz'2020-01-01 00:00:00'
}

TEST(XxHash64, HashesDecimalsAsSpark) {
  EXPECT_EQ(hash_long(150), -6873856301616164681);                 // 1.50
  EXPECT_EQ(hash_long(-123456789012345678), 7700742269099517432);  // -123456789012345.678
  EXPECT_EQ(hash_wide(0), -8959994473701255385);
  EXPECT_EQ(hash_wide(-1), -4006032525457443936);
  EXPECT_EQ(hash_wide(128), 6715097930120473301);
  EXPECT_EQ(hash_wide(-128), -7898411661632158123);
  EXPECT_EQ(hash_wide(-129), -6459515886037897956);
  EXPECT_EQ(hash_wide(150), -194698251525976593);
  int128 largest = 0;
  for (int i = 0; i < 38; ++i) largest = largest * 10 + 9;
  EXPECT_EQ(hash_wide(largest), -47190729175993179);
  EXPECT_EQ(hash_wide(-largest), -2254039905620870768);
}

TEST(XxHash64, HashesBytesAsSpark) {
  EXPECT_EQ(hash_text(""), -7444071767201028348);
  EXPECT_EQ(hash_text("a"), -8582455328737087284);
  EXPECT_EQ(hash_text("abc"), 1423657621850124518);
  EXPECT_EQ(hash_text("abcd"), -6810745876291105281);
  EXPECT_EQ(hash_text("abcdefgh"), 2470326616177429180);
  EXPECT_EQ(hash_text("hello, world"), 6682617049011054788);
  EXPECT_EQ(hash_text(std::string(31, 'x')), -1716462135722163746);
  EXPECT_EQ(hash_text(std::string(32, 'x')), 1299777543150008824);
  EXPECT_EQ(hash_text("0123456789abcdef0123456789abcdef0123456789abc"), 5285460016269754553);
  EXPECT_EQ(hash_text(std::string("\0\xff", 2)), 879945414100663330);
  EXPECT_EQ(hash_text("grüße"), 2849248189946776049);
}

TEST(XxHash64, HashesRowsAsSpark) {
  // xxhash64(1, 'a', 2L, cast(null as int), 1.50BD, true): each hash is the next one's seed, null leaves it.
  uint64 hash = xx_hash64_int(1, kSeed);
  hash = xx_hash64_bytes("a", 1, hash);
  hash = xx_hash64_long(2, hash);
  hash = xx_hash64_long(150, hash);
  hash = xx_hash64_int(1, hash);
  EXPECT_EQ(static_cast<int64>(hash), 4809405587660576893);
}

TEST(XxHash64, IsTheStandardHash) {
  std::string text;
  for (int length = 0; length < 200; ++length) {
    EXPECT_EQ(xx_hash64_bytes(text.data(), length, 7), XXH64(text.data(), text.size(), 7)) << length;
    text.push_back(static_cast<char>(length * 37 + 11));
  }
}

}  // namespace
}  // namespace accelerant::functions
