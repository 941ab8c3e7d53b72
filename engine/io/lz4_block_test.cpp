#include "io/lz4_block.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace accelerant::io {
namespace {

TEST(Lz4Block, GivesBackWhatWasCompressed) {
  for (const size_t size : {1, 13, 100'000}) {
    std::vector<uint8_t> bytes(size);
    for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i / 7);
    std::vector<uint8_t> compressed(size + 100);
    const auto num_bytes = compress_lz4(bytes, compressed);
    ASSERT_TRUE(num_bytes);
    compressed.resize(static_cast<size_t>(*num_bytes));
    std::vector<uint8_t> again(size);
    EXPECT_TRUE(decompress_lz4(compressed, again));
    EXPECT_EQ(again, bytes);
    again.resize(size - 1);
    EXPECT_FALSE(decompress_lz4(compressed, again));
  }
}

TEST(Lz4Block, SaysWhereThereIsNoRoom) {
  std::mt19937 random(3);
  std::vector<uint8_t> bytes(10'000);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  std::vector<uint8_t> compressed(bytes.size());
  EXPECT_FALSE(compress_lz4(bytes, compressed));
}

}  // namespace
}  // namespace accelerant::io
