#include "functions/datetime/pattern_compiler.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace accelerant::functions {
namespace {

DatePattern compiled(std::string_view pattern, PatternUse use) {
  return compile_pattern({pattern.data(), static_cast<int32>(pattern.size())}, use);
}
bool is_printed(std::string_view pattern) { return compiled(pattern, PatternUse::Print).is_valid; }
bool is_parsed(std::string_view pattern) { return compiled(pattern, PatternUse::Parse).is_valid; }

TEST(PatternCompiler, RefusesWhatOnlySparkKnows) {
  for (const char* pattern :
       {"YYYY",   "ww",      "W",     "u",     "e",     "c",   "A",       "B",    "n",    "N",
        "p",      "F",       "g",     "VV",    "v",     "z",   "zzzz",    "O",    "OOOO", "ZZZZ",
        "XXXXXX", "yyyyyyy", "MMMMM", "LLLLL", "GGGGG", "ddd", "HHH",     "DDDD", "aa",   "SSSSSSSSSS",
        "{",      "}",       "#",     "]",     "'open", "''",  "'it''s'", "\n",   "\x7f", "\xff"}) {
    EXPECT_FALSE(is_printed(pattern)) << pattern;
    EXPECT_FALSE(is_parsed(pattern)) << pattern;
  }
}

TEST(PatternCompiler, PrintsMoreThanItParses) {
  for (const char* pattern : {"E", "EEEE", "Q", "qqqq", "yyyy \u00e9"}) {
    EXPECT_TRUE(is_printed(pattern)) << pattern;
    EXPECT_FALSE(is_parsed(pattern)) << pattern;
  }
}

TEST(PatternCompiler, TakesSectionsThatAreNotClosed) {
  EXPECT_TRUE(is_parsed("yyyy[-MM[-dd"));
  EXPECT_TRUE(is_printed("yyyy[-MM[-dd"));
  EXPECT_FALSE(is_parsed("[yyyy]]"));
  EXPECT_FALSE(is_parsed("[[[[[yyyy]]]]]"));  // deeper than it keeps track of
}

TEST(PatternCompiler, RefusesLongPatterns) {
  EXPECT_TRUE(is_parsed(std::string(DatePattern::kMaxItems, '-')));
  EXPECT_FALSE(is_parsed(std::string(DatePattern::kMaxItems + 1, '-')));
  EXPECT_FALSE(is_printed("EEEE EEEE EEEE EEEE EEEE EEEE EEEE"));
}

TEST(PatternCompiler, GivesDigitsToTheFirstNumberSideBySide) {
  const DatePattern pattern = compiled("yyyyMMddHH-mmss", PatternUse::Parse);
  ASSERT_EQ(pattern.num_items, 7);
  EXPECT_EQ(pattern.items[0].reserved_width, 6);
  EXPECT_EQ(pattern.items[1].reserved_width, 0);
  EXPECT_EQ(pattern.items[5].reserved_width, 2);
  EXPECT_EQ(compiled("yyyyMMd", PatternUse::Parse).items[0].reserved_width, 0);
}

TEST(PatternCompiler, FindsTextsWhosePartsHaveFixedPlaces) {
  EXPECT_EQ(compiled("yyyy-MM-dd HH:mm:ss", PatternUse::Parse).fixed_bytes, 19);
  EXPECT_EQ(compiled("yyMMdd", PatternUse::Parse).fixed_bytes, 6);
  for (const char* pattern :
       {"yyyy-M-d", "yyyy MMM", "HH:mm:ss.SSS", "HH a", "HHX", "yyyy[-MM]", "yyyy yyyy", "yyyy0MM"}) {
    EXPECT_EQ(compiled(pattern, PatternUse::Parse).fixed_bytes, -1) << pattern;
  }
}

TEST(PatternCompiler, CountsYearsByEraWhereOneIsNamed) {
  EXPECT_EQ(compiled("yyyy G", PatternUse::Parse).items[0].field, DateField::YearOfEra);
  EXPECT_EQ(compiled("yyyy 'G'", PatternUse::Parse).items[0].field, DateField::Year);
}

}  // namespace
}  // namespace accelerant::functions
