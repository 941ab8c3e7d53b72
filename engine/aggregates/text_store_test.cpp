#include "aggregates/text_store.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace accelerant::aggregates {
namespace {

using functions::HeldText;

std::string text_of(const HeldText& held) { return {held.data, static_cast<size_t>(held.length)}; }

TEST(TextStore, KeepsTextsOfAnyLength) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  std::mt19937 random(3);
  {
    TextStore store(budget);
    std::vector<HeldText> held(50, HeldText::init());
    std::map<size_t, std::string> expected;
    for (int i = 0; i < 3000; ++i) {
      const size_t at = random() % held.size();
      const std::string text(random() % (i % 100 == 0 ? 300'000 : 60), static_cast<char>('a' + i % 26));
      store.assign(held[at], {text.data(), static_cast<int32_t>(text.size())});
      expected[at] = text;
    }
    for (const auto& [at, text] : expected) ASSERT_EQ(text_of(held[at]), text);
    EXPECT_GT(budget->used_bytes(), 0);
  }
  EXPECT_EQ(budget->used_bytes(), 0);
}

TEST(TextStore, TakesAFirstTextOfAnyLength) {
  for (const int32_t length : {0, 1, 16, 1000, 1025, 4096, 5000, 65'536, 70'000, 300'000}) {
    TextStore store(std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited));
    const std::string text(static_cast<size_t>(length), 'x');
    HeldText first = HeldText::init();
    HeldText second = HeldText::init();
    store.assign(first, {text.data(), length});
    store.assign(second, {"second", 6});
    EXPECT_EQ(text_of(first), text);
    EXPECT_EQ(text_of(second), "second");
  }
}

TEST(TextStore, UsesAgainWhatTextsNoLongerNeed) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  TextStore store(budget);
  const std::string longer(1000, 'y');
  constexpr int64_t kTexts = 4000;
  std::vector<HeldText> held(kTexts, HeldText::init());
  // Each leaves room for the next one's first text.
  for (HeldText& text : held) {
    store.assign(text, {longer.data(), 500});
    store.assign(text, {longer.data(), 1000});
  }
  for (const HeldText& text : held) ASSERT_EQ(text_of(text), longer);
  EXPECT_LT(budget->used_bytes(), (kTexts + 600) * 1024);
}

TEST(TextStore, LeavesATextAsItWasWhereThereIsNoRoom) {
  const auto budget = std::make_shared<memory::Budget>("test", 100'000);
  TextStore store(budget);
  HeldText held = HeldText::init();
  store.assign(held, {"short", 5});
  const std::string longer(200'000, 'y');
  EXPECT_THROW(store.assign(held, {longer.data(), 200'000}), Error);
  EXPECT_EQ(text_of(held), "short");
}

}  // namespace
}  // namespace accelerant::aggregates
