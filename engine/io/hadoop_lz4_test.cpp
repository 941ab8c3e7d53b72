#include "io/hadoop_lz4.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>
#include <gtest/gtest.h>
#include <parquet/types.h>

#include <random>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

std::string number(uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

std::string chunk_of(const std::string& text) {
  const auto codec = parquet::GetCodec(parquet::Compression::LZ4);
  const auto* from = reinterpret_cast<const uint8_t*>(text.data());
  const auto length = static_cast<int64_t>(text.size());
  std::vector<uint8_t> bytes(static_cast<size_t>(codec->MaxCompressedLen(length, from)));
  bytes.resize(static_cast<size_t>(*codec->Compress(length, from, static_cast<int64_t>(bytes.size()), bytes.data())));
  return number(static_cast<uint32_t>(bytes.size())) + std::string(bytes.begin(), bytes.end());
}

/// Returns what the bytes stand for, or "refused".
std::string decompressed(const std::string& bytes, size_t length) {
  // Of exactly the size, so that a sanitizer sees what is read past the end.
  const std::vector<uint8_t> from(bytes.begin(), bytes.end());
  std::vector<uint8_t> to(length);
  return decompress_hadoop_lz4(from, to) ? std::string(to.begin(), to.end()) : "refused";
}

const std::string kFirst(5000, 'a');
const std::string kSecond = "the rest";

TEST(HadoopLz4, TakesBlocksOfSeveralChunksAndAnEmptyOneAtTheEnd) {
  const std::string both = number(5008) + chunk_of(kFirst) + chunk_of(kSecond);
  EXPECT_EQ(decompressed(both, 5008), kFirst + kSecond);
  EXPECT_EQ(decompressed(both + number(0), 5008), kFirst + kSecond);
  const std::string blocks = number(5000) + chunk_of(kFirst) + number(8) + chunk_of(kSecond);
  EXPECT_EQ(decompressed(blocks, 5008), kFirst + kSecond);
  EXPECT_EQ(decompressed("", 0), "");
  EXPECT_EQ(decompressed(number(0), 0), "");
}

TEST(HadoopLz4, RefusesOtherSizesAndFramings) {
  const std::string both = number(5008) + chunk_of(kFirst) + chunk_of(kSecond);
  EXPECT_EQ(decompressed(both, 5007), "refused");
  EXPECT_EQ(decompressed(both, 5009), "refused");
  EXPECT_EQ(decompressed(both.substr(0, both.size() - 1), 5008), "refused");
  EXPECT_EQ(decompressed(number(5000) + chunk_of(kFirst) + chunk_of(kSecond), 5008), "refused");
  EXPECT_EQ(decompressed(number(8) + number(0xffffffff) + kSecond, 8), "refused");
  EXPECT_EQ(decompressed(number(8) + number(0) + number(0), 8), "refused");
  EXPECT_EQ(decompressed(chunk_of(kSecond).substr(4), 8), "refused");
}

TEST(HadoopLz4, SurvivesDamage) {
  std::mt19937 random(5);
  const std::string both = number(5008) + chunk_of(kFirst) + chunk_of(kSecond);
  for (int round = 0; round < 20'000; ++round) {
    std::string damaged = both;
    for (size_t i = 0; i < 1 + random() % 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    damaged.resize(random() % (damaged.size() + 1));
    decompressed(damaged, 5008);
  }
}

}  // namespace
}  // namespace accelerant::io
