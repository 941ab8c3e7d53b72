#include "functions/aggregate/bitmap.h"

#include "aggregates/text_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace accelerant::functions {
namespace {

std::string text_of(types::StringRef text) { return {text.data, static_cast<size_t>(text.length)}; }

/// A bitmap that begins with some bytes and goes on with zeros.
std::string bitmap_of(std::string bytes) {
  bytes.resize(kBitmapBytes);
  return bytes;
}

struct BitmapTest : testing::Test {
  std::shared_ptr<memory::Budget> budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  aggregates::TextStore store{budget};
};

TEST_F(BitmapTest, SetsBitsAtPositions) {
  auto bitmap = Bitmap<Combine::Or>::init();
  EXPECT_EQ(text_of(bitmap.value()), bitmap_of(""));
  for (const int64 position : {0, 9, 7, 9, 32767}) bitmap.update(position, store);
  std::string expected = bitmap_of("\x81\x02");
  expected.back() = '\x80';
  EXPECT_EQ(text_of(bitmap.value()), expected);
  EXPECT_FALSE(bitmap.fails);
}

TEST_F(BitmapTest, NotesPositionsThatAreNone) {
  for (const int64 position : {int64{-1}, int64{32768}, INT64_MIN}) {
    auto bitmap = Bitmap<Combine::Or>::init();
    bitmap.update(position, store);
    EXPECT_TRUE(bitmap.fails);
    auto merged = Bitmap<Combine::Or>::init();
    merged.merge(bitmap, store);
    EXPECT_TRUE(merged.fails);
  }
}

TEST_F(BitmapTest, CombinesBitmapsOfAnyLength) {
  const std::string longer(5000, '\x0f');
  auto any = Bitmap<Combine::Or>::init();
  auto all = Bitmap<Combine::And>::init();
  EXPECT_EQ(text_of(all.value()), std::string(kBitmapBytes, '\xff'));
  any.update(types::StringRef{"\x10\x01", 2}, store);
  EXPECT_EQ(text_of(any.value()), bitmap_of("\x10\x01"));
  for (auto update : {types::StringRef{longer.data(), 5000}, types::StringRef{"\x13", 1}}) {
    any.update(update, store);
    all.update(update, store);
  }
  EXPECT_EQ(text_of(any.value()), "\x1f" + std::string(kBitmapBytes - 1, '\x0f'));
  EXPECT_EQ(text_of(all.value()), bitmap_of("\x03"));
}

TEST_F(BitmapTest, MergesWhatCounted) {
  auto bitmap = Bitmap<Combine::And>::init();
  bitmap.update(types::StringRef{"\x07", 1}, store);
  bitmap.merge(Bitmap<Combine::And>::init(), store);
  EXPECT_EQ(text_of(bitmap.value()), bitmap_of("\x07"));
  auto merged = Bitmap<Combine::And>::init();
  merged.merge(bitmap, store);
  EXPECT_EQ(text_of(merged.value()), bitmap_of("\x07"));
}

}  // namespace
}  // namespace accelerant::functions
