#include "column_functions/split_pattern.h"

#include <gtest/gtest.h>

namespace accelerant::column_functions {
namespace {

TEST(SplitPattern, StandsForItsCharacters) {
  EXPECT_EQ(text_of_pattern(","), ",");
  EXPECT_EQ(text_of_pattern(" - "), " - ");
  EXPECT_EQ(text_of_pattern("]}é"), "]}é");
}

TEST(SplitPattern, TakesCharactersBehindBackslashes) {
  EXPECT_EQ(text_of_pattern("\\|"), "|");
  EXPECT_EQ(text_of_pattern("a\\.b\\\\"), "a.b\\");
}

TEST(SplitPattern, StandsForNoText) {
  for (const char* pattern : {"", "a.b", "[,]", "a|b", "x*", "\\s", "\\1", "\\", "(a)", "a{2}", "^a", "\\é", "\xff"}) {
    EXPECT_EQ(text_of_pattern(pattern), std::nullopt) << pattern;
  }
}

}  // namespace
}  // namespace accelerant::column_functions
