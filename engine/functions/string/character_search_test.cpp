#include "functions/string/character_search.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace accelerant::types {
namespace {

/// Compares at every character.
int32 look_at_every_character(StringRef text, StringRef part, int32 from) {
  if (part.length == 0) return 0;
  int32 character = 0;
  for (int32 at = 0; at < text.length; at = next_character(text, at), ++character) {
    const std::string_view rest(text.data + at, static_cast<size_t>(text.length - at));
    if (character >= from && rest.starts_with(std::string_view(part.data, static_cast<size_t>(part.length)))) {
      return character;
    }
  }
  return -1;
}

/// Characters of all lengths, and bytes that make none.
constexpr std::string_view kPieces[] = {"a", "a",    "b",        "a long word", "é",   "€",
                                        "😀", "\xe2", "\xf0\x9f", "\x80",        "\xff"};

std::string random_text(std::mt19937& random, size_t max_pieces) {
  std::string text;
  for (size_t n = random() % (max_pieces + 1); n > 0; --n) text += kPieces[random() % std::size(kPieces)];
  return text;
}

TEST(CharacterSearch, FindsPartsWhereCharactersBegin) {
  std::mt19937 random(5);
  int found = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = random_text(random, 10);
    const size_t begin = random() % (text.size() + 1);
    // Half of the parts are cut out of the text wherever it happens, also inside of characters.
    const std::string part = i % 2 == 0 ? random_text(random, 2) : text.substr(begin, random() % 12);
    const StringRef text_ref{text.data(), static_cast<int32>(text.size())};
    const StringRef part_ref{part.data(), static_cast<int32>(part.size())};
    for (const int32 from : {0, 1, 5, 9, 1000}) {
      const int32 expected = look_at_every_character(text_ref, part_ref, from);
      ASSERT_EQ(find_character(text_ref, part_ref, from), expected) << text << ", " << part << " from " << from;
      found += expected > 0;
    }
  }
  EXPECT_GT(found, 10'000);
}

}  // namespace
}  // namespace accelerant::types
