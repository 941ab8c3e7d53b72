#include "io/snappy.h"

#include <arrow/util/compression.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes compressed(const Bytes& bytes) {
  const auto codec = *arrow::util::Codec::Create(arrow::Compression::SNAPPY);
  Bytes to(static_cast<size_t>(codec->MaxCompressedLen(static_cast<int64_t>(bytes.size()), nullptr)));
  const auto length =
      *codec->Compress(static_cast<int64_t>(bytes.size()), bytes.data(), static_cast<int64_t>(to.size()), to.data());
  to.resize(static_cast<size_t>(length));
  return to;
}

/// Decompresses from and to memory of exactly the right size, for the sanitizer's sake.
bool decompresses(const Bytes& block, Bytes& to) {
  const std::unique_ptr<uint8_t[]> from(new uint8_t[block.size()]);
  std::copy(block.begin(), block.end(), from.get());
  const std::unique_ptr<uint8_t[]> room(new uint8_t[to.size()]);
  const bool done = decompress_snappy({from.get(), block.size()}, {room.get(), to.size()});
  std::copy(room.get(), room.get() + to.size(), to.begin());
  return done;
}

/// Bytes like those of pages: random, repeated at several distances, in words of few values, texts.
std::vector<Bytes> samples(size_t num_bytes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Bytes> all(6, Bytes(num_bytes));
  const std::string words[] = {"the ", "furiously ", "packages ", "a", "deposits sleep. "};
  std::string text;
  while (text.size() < num_bytes) text += words[random() % 5];
  for (size_t i = 0; i < num_bytes; ++i) {
    all[0][i] = static_cast<uint8_t>(random());
    all[1][i] = static_cast<uint8_t>(i % 5);
    all[2][i] = i % 8 < 3 ? static_cast<uint8_t>(random()) : 0;
    all[3][i] = static_cast<uint8_t>(text[i]);
    all[4][i] = i >= 13 && random() % 16 != 0 ? all[4][i - 13] : static_cast<uint8_t>(random());
    all[5][i] = i >= 70'000 ? all[0][i - 70'000] : all[0][i];
  }
  return all;
}

TEST(DecompressSnappy, GivesWhatWasCompressed) {
  for (const size_t num_bytes : {0, 1, 2, 15, 16, 17, 60, 61, 64, 79, 80, 81, 200, 1000, 70'000, 300'000}) {
    for (const Bytes& bytes : samples(num_bytes, num_bytes)) {
      Bytes to(num_bytes);
      ASSERT_TRUE(decompresses(compressed(bytes), to));
      ASSERT_EQ(to, bytes) << num_bytes;
    }
  }
}

TEST(DecompressSnappy, ReadsEveryElement) {
  // A literal with a length of one, two, three and four bytes, and copies with offsets of one, two and four.
  for (const size_t num_length_bytes : {1, 2, 3, 4}) {
    for (const size_t behind : {0, 200}) {
      Bytes block = {static_cast<uint8_t>(112 + behind % 128), static_cast<uint8_t>((59 + num_length_bytes) << 2)};
      if (behind > 0) block = {static_cast<uint8_t>((312 & 127) | 128), 312 >> 7, block[1]};
      block.push_back(99);
      block.insert(block.end(), num_length_bytes - 1, 0);
      Bytes expected;
      for (int i = 0; i < 100; ++i) expected.push_back(static_cast<uint8_t>(i));
      block.insert(block.end(), expected.begin(), expected.end());
      block.insert(block.end(), {0 << 2 | 1, 100, 3 << 2 | 2, 3, 0, 3 << 2 | 3, 50, 0, 0, 0});
      for (const size_t offset : {100, 100, 100, 100, 3, 3, 3, 3, 50, 50, 50, 50}) {
        expected.push_back(expected[expected.size() - offset]);
      }
      for (size_t i = 0; i < behind; i += 50) {
        block.insert(block.end(), {49 << 2 | 2, 60, 0});
        for (int k = 0; k < 50; ++k) expected.push_back(expected[expected.size() - 60]);
      }
      Bytes to(expected.size());
      ASSERT_TRUE(decompresses(block, to));
      ASSERT_EQ(to, expected);
    }
  }
}

TEST(DecompressSnappy, RefusesWhatIsNoBlock) {
  Bytes to(10);
  EXPECT_FALSE(decompresses({}, to));
  EXPECT_FALSE(decompresses({0x80, 0x80}, to));
  EXPECT_FALSE(decompresses({9}, to));                                      // another length
  EXPECT_FALSE(decompresses({10}, to));                                     // no elements
  EXPECT_FALSE(decompresses({10, 9 << 2, 1, 2}, to));                       // ends in a literal
  EXPECT_FALSE(decompresses({10, 0, 1, 9 << 2 | 2, 2, 0}, to));             // a copy of what is before the block
  EXPECT_FALSE(decompresses({10, 0, 1, 9 << 2 | 2, 0, 0}, to));             // a copy of itself
  EXPECT_FALSE(decompresses({10, 0, 1, 63 << 2 | 2, 1, 0}, to));            // beyond the end
  EXPECT_FALSE(decompresses({10, 63 << 2, 255, 255, 255, 255, 1, 2}, to));  // of 4 GiB
}

TEST(DecompressSnappy, SurvivesDamage) {
  std::mt19937_64 random(11);
  for (const Bytes& bytes : samples(3000, 5)) {
    const Bytes block = compressed(bytes);
    for (int trial = 0; trial < 2000; ++trial) {
      Bytes damaged = block;
      for (uint64_t changes = 1 + random() % 4; changes > 0; --changes) {
        damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
      }
      if (random() % 4 == 0) damaged.resize(random() % damaged.size());
      Bytes to(bytes.size());
      decompresses(damaged, to);
    }
  }
}

}  // namespace
}  // namespace accelerant::io
