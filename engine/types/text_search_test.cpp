#include "types/text_search.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace accelerant::types {
namespace {

/// A page between two that may not be read: a text at either end of it shows what reads beside the text.
class GuardedPage {
 public:
  GuardedPage() {
    void* pages = mmap(nullptr, 3 * bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return;
    pages_ = static_cast<char*>(pages);
    is_open_ = mprotect(pages_ + bytes_, bytes_, PROT_READ | PROT_WRITE) == 0;
  }
  ~GuardedPage() {
    if (pages_ != nullptr) munmap(pages_, 3 * bytes_);
  }
  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  bool is_open() const { return is_open_; }
  StringRef at_begin(std::string_view text) { return copy(text, pages_ + bytes_); }
  StringRef at_end(std::string_view text) { return copy(text, pages_ + 2 * bytes_ - text.size()); }

 private:
  static StringRef copy(std::string_view text, char* out) {
    text.copy(out, text.size());
    return {out, static_cast<int32>(text.size())};
  }

  const size_t bytes_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  char* pages_ = nullptr;
  bool is_open_ = false;
};

std::string random_text(std::mt19937& random, std::string_view alphabet, size_t length) {
  std::string text(length, ' ');
  for (char& byte : text) byte = alphabet[random() % alphabet.size()];
  return text;
}

/// A part of a text, or one that may not be in it at all.
std::string random_part(std::mt19937& random, std::string_view alphabet, std::string_view text) {
  if (random() % 2 == 0 || text.empty()) return random_text(random, alphabet, random() % 44);
  const size_t begin = random() % text.size();
  return std::string(text.substr(begin, random() % (text.size() - begin + 1)));
}

/// The alphabets hold bytes that differ in their highest or lowest bit alone, and bytes next to zero.
constexpr std::string_view kAlphabets[] = {"ab", "abc", std::string_view("\0\x01", 2), "\x7f\x80\xff", "a\xe1\x80"};

/// Calls `check(text, part)` with random texts of all short lengths and parts, both at an end of a guarded page.
template <class Check>
void for_each_guarded_pair(Check check) {
  GuardedPage texts;
  GuardedPage parts;
  ASSERT_TRUE(texts.is_open() && parts.is_open());
  std::mt19937 random(11);
  for (const std::string_view alphabet : kAlphabets) {
    for (size_t length = 0; length <= 40; ++length) {
      for (int round = 0; round < 40; ++round) {
        const std::string text = random_text(random, alphabet, length);
        const std::string part = random_part(random, alphabet, text);
        check(texts.at_end(text), parts.at_end(part));
        check(texts.at_begin(text), parts.at_begin(part));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

std::string_view view(StringRef text) { return {text.data, static_cast<size_t>(text.length)}; }

TEST(TextSearch, FindsWhatALookAtEveryPlaceFinds) {
  int found = 0;
  for_each_guarded_pair([&](StringRef text, StringRef part) {
    if (part.length == 0) return;
    for (int32 from = 0; from <= text.length; ++from) {
      const size_t expected = view(text).find(view(part), static_cast<size_t>(from));
      const int32 place = expected == std::string_view::npos ? -1 : static_cast<int32>(expected);
      EXPECT_EQ(find(text, part, from), place) << view(text) << ", " << view(part) << " from " << from;
      found += place >= 0;
    }
  });
  EXPECT_GT(found, 5'000);
}

TEST(TextSearch, ComparesAtBothEnds) {
  int matched = 0;
  for_each_guarded_pair([&](StringRef text, StringRef part) {
    EXPECT_EQ(starts_with(text, part), view(text).starts_with(view(part))) << view(text) << ", " << view(part);
    EXPECT_EQ(ends_with(text, part), view(text).ends_with(view(part))) << view(text) << ", " << view(part);
    matched += starts_with(text, part) + ends_with(text, part);
  });
  EXPECT_GT(matched, 500);
}

TEST(TextSearch, SeesEveryByteThatDiffers) {
  for (size_t length = 1; length <= 40; ++length) {
    const std::string text(length, 'a');
    for (size_t i = 0; i < length; ++i) {
      std::string other = text;
      other[i] = static_cast<char>('a' ^ 0x80);
      EXPECT_FALSE(are_equal(text.data(), other.data(), static_cast<int32>(length))) << i << " of " << length;
    }
    EXPECT_TRUE(are_equal(text.data(), std::string(text).data(), static_cast<int32>(length)));
  }
}

TEST(ByteWords, MarkTheFirstZeroByte) {
  for (int32 byte = 0; byte < kWordBytes; ++byte) {
    const uint64 word = kLowestBits * 0x80 & ~(uint64(0xff) << byte * 8);
    EXPECT_EQ(first_marked(mark_zero_bytes(word)), byte);
    EXPECT_EQ(first_marked(mark_zero_bytes(word & ~uint64(0) >> 8)), byte);
  }
  EXPECT_EQ(mark_zero_bytes(kLowestBits), 0u);
  EXPECT_EQ(mark_zero_bytes(kHighestBits), 0u);
  EXPECT_EQ(mark_zero_bytes(~uint64(0)), 0u);
}

}  // namespace
}  // namespace accelerant::types
