#include "operators/key_bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

namespace accelerant::operators {
namespace {

TEST(KeyBytes, AreEqualOnlyWhereEveryByteIs) {
  for (size_t length = 0; length <= 80; ++length) {
    const std::string key(length, 'k');
    std::string other = key;
    EXPECT_TRUE(equal_keys(key.data(), other.data(), length)) << length;
    for (char& byte : other) {
      byte = 'j';
      EXPECT_FALSE(equal_keys(key.data(), other.data(), length)) << length << " at " << &byte - other.data();
      byte = 'k';
    }
  }
}

TEST(KeyBytes, AreCopiedAndNothingElse) {
  for (size_t length = 0; length <= 80; ++length) {
    std::string from;
    for (size_t i = 0; i < length; ++i) from.push_back(static_cast<char>('0' + i));
    std::string to(length + 2, '#');
    copy_key(to.data() + 1, from.data(), length);
    EXPECT_EQ(to, "#" + from + "#");
  }
}

TEST(KeyBytes, HashByEveryByteAndTheirNumber) {
  std::set<uint64_t> hashes;
  for (size_t length = 0; length <= 16; ++length) {
    const std::string zeros(length, 0);
    EXPECT_TRUE(hashes.insert(hash_short_key(zeros.data(), length)).second) << length;
    for (size_t i = 0; i < length; ++i) {
      std::string other = zeros;
      other[i] = 1;
      EXPECT_TRUE(hashes.insert(hash_short_key(other.data(), length)).second) << length << " at " << i;
    }
  }
}

TEST(KeyBytes, HashByOneHalfWhateverTheOtherOne) {
  for (const uint64_t constant : {0xa0761d6478bd642f, 0xe7037ed1a0b428db}) {
    for (const size_t place : {0, 1}) {
      std::set<uint64_t> hashes;
      for (uint64_t i = 0; i < 1000; ++i) {
        std::array<uint64_t, 2> halves = {i, i};
        halves[place] = constant;
        hashes.insert(hash_short_key(reinterpret_cast<const char*>(halves.data()), sizeof halves));
      }
      EXPECT_EQ(hashes.size(), 1000);
    }
  }
}

TEST(KeyBytes, MayStandAnywhereAndBeFollowedByOthers) {
  const std::string bytes = "0123456789abcdefghi0123456789abcdefgh!";
  for (size_t length = 1; length < 19; ++length) {
    for (size_t from = 0; from + length < 19; ++from) {
      EXPECT_EQ(equal_keys(bytes.data() + from, bytes.data() + from + 19, length), true) << length << " from " << from;
      EXPECT_EQ(equal_keys(bytes.data() + from, bytes.data() + from + 18, length), false) << length << " from " << from;
    }
  }
  EXPECT_FALSE(equal_keys(bytes.data(), bytes.data() + 19, 19));
}

}  // namespace
}  // namespace accelerant::operators
