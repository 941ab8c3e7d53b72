#include "types/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <sys/mman.h>
#include <vector>

namespace accelerant::types {
namespace {

StringRef ref(std::string_view text) { return {text.data(), static_cast<int32>(text.size())}; }

std::vector<int32> decode(std::string_view text) {
  std::vector<int32> characters;
  for (int32 position = 0; position < static_cast<int32>(text.size());) {
    characters.push_back(decode_character(ref(text), position));
  }
  return characters;
}

TEST(Utf8, CountsCharactersAmongAscii) {
  for (const std::string_view character : {"", "x", "ä", "€", "😀", "\xe2", "\x80"}) {
    for (size_t before = 0; before < 20; ++before) {
      for (size_t behind = 0; behind < 20; ++behind) {
        const std::string text = std::string(before, 'a').append(character).append(behind, 'b');
        const StringRef bytes = ref(std::string_view(text));
        int32 expected = 0;
        for (int32 i = 0; i < bytes.length; i = next_character(bytes, i)) ++expected;
        EXPECT_EQ(count_characters(bytes), expected);
      }
    }
  }
}

TEST(Utf8, EncodesWhatItDecodes) {
  for (const int32 character : {0, 0x7f, 0x80, 0x7ff, 0x800, 0xfffd, 0xffff, 0x10000, 0x10ffff}) {
    char bytes[4];
    const auto length = static_cast<size_t>(encode_character(character, bytes) - bytes);
    EXPECT_EQ(static_cast<int32>(length), encoded_bytes(character));
    EXPECT_EQ(decode({bytes, length}), std::vector<int32>{character});
  }
}

TEST(Utf8, ReplacesWhatIsNoCharacterAsJavaDoes) {
  const int32 bad = kReplacementCharacter;
  using Characters = std::vector<int32>;
  EXPECT_EQ(decode("\xe2\x82"
                   "A"),
            (Characters{bad, 'A'}));
  EXPECT_EQ(decode("\xf0\x9f\x98"
                   "A"),
            (Characters{bad, 'A'}));
  EXPECT_EQ(decode("\xed\xa0\x80"), (Characters{bad}));
  EXPECT_EQ(decode("\xc0\x80"), (Characters{bad, bad}));
  EXPECT_EQ(decode("\xf8\x88\x80"), (Characters{bad, bad, bad}));
  EXPECT_EQ(decode("\xf4\x90\x80\x80"), (Characters{bad, bad, bad, bad}));
  EXPECT_EQ(decode("\xe0\x80\x80"), (Characters{bad, bad, bad}));
  EXPECT_EQ(decode("\xe2"), (Characters{bad}));
  EXPECT_EQ(decode("\xf0\x9f"), (Characters{bad}));
  EXPECT_EQ(decode("\xe2(\xa1"), (Characters{bad, '(', bad}));
  EXPECT_EQ(decode("\xe1\x80\xc3\xa9"), (Characters{bad, 0xe9}));
}

TEST(Utf8, CountsByFirstBytes) {
  EXPECT_EQ(count_characters(ref("ä€😀x")), 4);
  EXPECT_EQ(count_characters(ref("\x80\xff"
                                 "a")),
            3);
  EXPECT_EQ(count_characters(ref("a\xe2")), 2);
  EXPECT_EQ(count_characters(ref("")), 0);
  EXPECT_EQ(skip_characters(ref("ä€😀x"), 0, 2), 5);
  EXPECT_EQ(skip_characters(ref("ä€😀x"), 2, 9), 10);
}

TEST(Utf8, EndsACutCharacterWithTheLongestText) {
  // Address space alone: only the page of the last byte takes memory.
  constexpr int32 kLength = 0x7fffffff;
  void* pages = mmap(nullptr, kLength, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  auto* bytes = static_cast<char*>(pages);
  bytes[kLength - 1] = '\xf0';
  EXPECT_EQ(next_character({bytes, kLength}, kLength - 1), kLength);
  munmap(pages, kLength);
}

}  // namespace
}  // namespace accelerant::types
