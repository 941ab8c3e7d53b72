#include "functions/string/like_pattern.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <string>
#include <string_view>

namespace accelerant::functions {
namespace {

types::StringRef ref(std::string_view text) { return {text.data(), static_cast<int32>(text.size())}; }

bool matches(std::string_view text, std::string_view pattern) {
  return LikePattern(ref(pattern), ref("\\")).matches(ref(text));
}

TEST(LikePattern, RefusesAnEscapeBeforeOtherCharacters) {
  EXPECT_FALSE(LikePattern(ref("a\\b"), ref("\\")).is_valid());
  EXPECT_FALSE(LikePattern(ref("a\\"), ref("\\")).is_valid());
  EXPECT_FALSE(LikePattern(ref("\\%\\a"), ref("\\")).is_valid());
  EXPECT_TRUE(LikePattern(ref("\\%\\_\\\\"), ref("\\")).is_valid());
  EXPECT_TRUE(LikePattern(ref("a\\b"), ref("#")).is_valid());
}

TEST(LikePattern, TakesTheEscapeCharacterBeforeItsOtherMeaning) {
  const LikePattern pattern(ref("%%a"), ref("%"));
  EXPECT_TRUE(pattern.is_valid());
  EXPECT_TRUE(pattern.matches(ref("%a")));
  EXPECT_FALSE(pattern.matches(ref("xa")));
}

TEST(LikePattern, ComparesCharactersAsJavaDecodesThem) {
  EXPECT_TRUE(matches("\xff", "\xfe"));
  EXPECT_TRUE(matches("a\xe2\x82z", "a_z"));
  EXPECT_FALSE(matches("a\x80\x80z", "a_z"));
}

/// Random texts and patterns of few characters, against the same pattern as a regular expression.
TEST(LikePattern, MatchesAsTheRegularExpressionDoes) {
  std::mt19937 random(7);
  const auto make = [&](std::string_view alphabet, size_t longest) {
    std::string text(random() % (longest + 1), ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    return text;
  };
  int matched = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = make("ab", 8);
    const std::string pattern = make(i % 2 ? "ab%" : "ab%_", 6);
    std::string expression;
    for (const char c : pattern) expression += c == '%' ? std::string(".*") : std::string(1, c == '_' ? '.' : c);
    const bool expected = std::regex_match(text, std::regex(expression));
    ASSERT_EQ(matches(text, pattern), expected) << text << " LIKE " << pattern;
    matched += expected;
  }
  EXPECT_GT(matched, 1000);
}

}  // namespace
}  // namespace accelerant::functions
