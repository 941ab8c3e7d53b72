#include "functions/string/trimming.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace accelerant::functions {
namespace {

types::StringRef as_ref(std::string_view text) { return {text.data(), static_cast<int32>(text.size())}; }
std::string_view view(types::StringRef text) { return {text.data, static_cast<size_t>(text.length)}; }

/// Bytes that begin characters of one to four bytes, that go on with them, and that do neither.
std::string random_bytes(std::mt19937& random, unsigned most) {
  constexpr std::string_view kBytes = "aab\x80\xa4\xac\xbf\xc0\xc3\xc3\xe2\x82\xed\xf0\x9f\x98\xf4\xf5\xff";
  std::string bytes;
  for (unsigned count = random() % (most + 1); count > 0; --count) bytes += kBytes[random() % kBytes.size()];
  return bytes;
}

std::string random_characters(std::mt19937& random, unsigned most) {
  const std::string_view characters[] = {"a", "b", "ä", "ã", "€", "₭", "😀", "😁"};
  std::string text;
  for (unsigned count = random() % (most + 1); count > 0; --count) text += characters[random() % std::size(characters)];
  return text;
}

TEST(Trimming, GivesTheSameFromTheBackAsFromTheFront) {
  std::mt19937 random(7);
  int64_t trimmed_bytes = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const bool is_text = i % 2 == 0;
    const std::string text = is_text ? random_characters(random, 6) : random_bytes(random, 12);
    const std::string set = is_text ? random_characters(random, 4) : random_bytes(random, 8);
    const auto trimmed = view(trim_right(as_ref(text), as_ref(set)));
    ASSERT_EQ(trimmed, view(trim_right_from_front(as_ref(text), as_ref(set)))) << testing::PrintToString(text);
    trimmed_bytes += static_cast<int64_t>(text.size() - trimmed.size());
  }
  EXPECT_GT(trimmed_bytes, 100'000);
}

/// Where the last character begins is certain in a text, so that nothing before it is looked up.
TEST(Trimming, FindsTheLastCharacterOfEveryText) {
  std::mt19937 random(7);
  for (int i = 0; i < 10'000; ++i) {
    const std::string before = random_characters(random, 6);
    for (const std::string last : {"a", "ä", "€", "😀"}) {
      ASSERT_EQ(types::last_character(as_ref(before + last)), static_cast<int32>(before.size()));
    }
  }
  EXPECT_EQ(types::last_character(as_ref("\xc3\xc3\xc3\xc3\xc3\xc3")), -1);
}

}  // namespace
}  // namespace accelerant::functions
