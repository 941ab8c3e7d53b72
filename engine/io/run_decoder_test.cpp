#include "io/run_decoder.h"

#include "base/bits.h"
#include "base/error.h"
#include "device/primitives/test_runs.h"
#include "io/definition_levels.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using device::RunWriter;
using device::some_runs;

TEST(RunDecoder, ReadsEveryWidthInPiecesOfAnySize) {
  std::mt19937 random(7);
  for (int width = 0; width <= 32; ++width) {
    const RunWriter runs = some_runs(width, random);
    const std::string bytes = runs.padded();
    for (const size_t piece : {size_t{1}, size_t{3}, size_t{64}, runs.values().size()}) {
      RunDecoder decoder;
      decoder.reset(reinterpret_cast<const uint8_t*>(bytes.data()), runs.num_bytes(), width);
      std::vector<uint32_t> read(runs.values().size());
      for (size_t done = 0; done < read.size(); done += piece) {
        decoder.read(static_cast<int64_t>(std::min(piece, read.size() - done)), read.data() + done);
      }
      ASSERT_EQ(read, runs.values()) << width;
    }
  }
}

TEST(RunDecoder, Skips) {
  std::mt19937 random(8);
  for (int width = 1; width <= 32; width += 5) {
    const RunWriter runs = some_runs(width, random);
    const std::string bytes = runs.padded();
    RunDecoder decoder;
    decoder.reset(reinterpret_cast<const uint8_t*>(bytes.data()), runs.num_bytes(), width);
    for (size_t position = 0; position + 12 < runs.values().size(); position += 12) {
      uint32_t read[5];
      decoder.read(5, read);
      ASSERT_TRUE(std::equal(read, read + 5, runs.values().begin() + static_cast<int64_t>(position)));
      decoder.skip(7);
    }
  }
}

TEST(RunDecoder, RefusesWhatEndsTooEarly) {
  RunWriter runs(5);
  runs.repeat(3, 10);
  runs.pack(std::vector<uint32_t>(16, 7));
  const std::string bytes = runs.padded();
  std::vector<uint32_t> read(27);
  for (int64_t length = 0; length <= runs.num_bytes(); ++length) {
    RunDecoder decoder;
    decoder.reset(reinterpret_cast<const uint8_t*>(bytes.data()), length, 5);
    EXPECT_THROW(decoder.read(27, read.data()), Error);
    decoder.reset(reinterpret_cast<const uint8_t*>(bytes.data()), length, 5);
    EXPECT_THROW(decoder.skip(27), Error);
  }
  RunDecoder decoder;
  EXPECT_THROW(decoder.reset(nullptr, 0, 33), Error);
}

TEST(DefinitionLevels, FillBitmapsAtAnyPosition) {
  std::mt19937 random(9);
  const RunWriter runs = some_runs(1, random);
  const std::string bytes = runs.padded();
  const auto total = static_cast<int64_t>(runs.values().size());
  for (const int64_t piece : {int64_t{1}, int64_t{3}, int64_t{8}, int64_t{61}, total}) {
    DefinitionLevels levels;
    levels.reset(reinterpret_cast<const uint8_t*>(bytes.data()), runs.num_bytes());
    std::vector<uint8_t> bitmap(static_cast<size_t>(total + 10), 0);
    for (int64_t done = 0; done < total; done += piece) {
      const int64_t n = std::min(piece, total - done);
      const int64_t valid = levels.read(n, bitmap.data(), 3 + done);
      ASSERT_EQ(valid, bits::count(bitmap.data(), 3 + done, n));
    }
    for (int64_t i = 0; i < total; ++i)
      ASSERT_EQ(bits::get(bitmap.data(), 3 + i), runs.values()[static_cast<size_t>(i)] == 1);
    ASSERT_EQ(bits::get(bitmap.data(), 2), false);
  }
}

TEST(DefinitionLevels, SkipAndNoticeRunsOfValues) {
  RunWriter runs(1);
  runs.repeat(1, 100);
  runs.repeat(0, 5);
  const std::string bytes = runs.padded();
  DefinitionLevels levels;
  levels.reset(reinterpret_cast<const uint8_t*>(bytes.data()), runs.num_bytes());
  EXPECT_TRUE(levels.skip_if_all_valid(60));
  EXPECT_FALSE(levels.skip_if_all_valid(41));
  EXPECT_EQ(levels.skip(43), 40);
  uint8_t bitmap[1] = {0};
  EXPECT_EQ(levels.read(2, bitmap, 0), 0);
  EXPECT_THROW(levels.read(1, bitmap, 2), Error);
}

}  // namespace
}  // namespace accelerant::io
