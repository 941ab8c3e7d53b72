#include "functions/string/like_pattern.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

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

/// Says whether a pattern without escapes matches: every beginning of the text against every beginning of the pattern.
bool matches_by_table(std::string_view text, std::string_view pattern) {
  std::vector<bool> matched(text.size() + 1, false);
  matched[0] = true;
  for (const char token : pattern) {
    std::vector<bool> next(text.size() + 1, false);
    for (size_t i = 0; i <= text.size(); ++i) {
      if (token == '%') next[i] = matched[i] || (i > 0 && next[i - 1]);
      if (token != '%' && i > 0) next[i] = matched[i - 1] && (token == '_' || text[i - 1] == token);
    }
    matched = next;
  }
  return matched[text.size()];
}

/// Returns a pattern that the text matches, unless a byte of it is changed.
std::string pattern_of(std::mt19937& random, const std::string& text) {
  std::string pattern;
  for (size_t i = 0; i < text.size();) {
    const size_t length = random() % 12;
    pattern += text.substr(i, length);
    pattern += random() % 8 == 0 ? "%%" : "%";
    i += length + random() % 6;
  }
  if (random() % 2 == 0 && !pattern.empty()) pattern.pop_back();
  if (random() % 2 == 0 && !pattern.empty()) pattern[random() % pattern.size()] = 'a';
  return pattern;
}

TEST(LikePattern, MatchesLongerTextsPartByPart) {
  std::mt19937 random(13);
  int matched = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text(random() % 60, ' ');
    for (char& byte : text) byte = "ab"[random() % 2];
    const std::string pattern = pattern_of(random, text);
    const bool expected = matches_by_table(text, pattern);
    ASSERT_EQ(matches(text, pattern), expected) << text << " LIKE " << pattern;
    matched += expected;
  }
  EXPECT_GT(matched, 5'000);
  EXPECT_LT(matched, 19'000);
}

}  // namespace
}  // namespace accelerant::functions
