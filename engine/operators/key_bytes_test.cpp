#include "operators/key_bytes.h"

#include <gtest/gtest.h>

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
