#include "types/string_view.h"

#include <gtest/gtest.h>

#include <string>

namespace accelerant::types {
namespace {

/// Returns copies of a text, between bytes that are not to be touched.
std::string copies(const std::string& text, int64 times) {
  const size_t size = times > 0 ? text.size() * static_cast<size_t>(times) : 0;
  std::string bytes(size + 2, '#');
  const char* end = append_copies({text.data(), static_cast<int32>(text.size())}, times, bytes.data() + 1);
  EXPECT_EQ(end, bytes.data() + 1 + size);
  return bytes;
}

TEST(AppendCopies, WritesACopyBehindTheOther) {
  for (const size_t length : {1, 2, 3, 13, 1000, 16 * 1024, 40'000}) {
    std::string text;
    for (size_t i = 0; i < length; ++i) text += static_cast<char>('a' + i * 7 % 26);
    for (const int64 times : {1, 2, 3, 4, 5, 7, 64, 1000}) {
      std::string expected = "#";
      for (int64 i = 0; i < times; ++i) expected += text;
      EXPECT_TRUE(copies(text, times) == expected + "#") << length << " bytes, " << times << " times";
    }
  }
}

TEST(AppendCopies, WritesNothingWhereNothingIsWanted) {
  EXPECT_EQ(copies("abc", 0), "##");
  EXPECT_EQ(copies("abc", -1), "##");
  EXPECT_EQ(copies("", 2'000'000'000), "##");
}

}  // namespace
}  // namespace accelerant::types
