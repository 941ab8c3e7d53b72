#include "spill/number_packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace accelerant::spill {
namespace {

using Bytes = std::vector<uint8_t>;

/// Packs a block into as many bytes as it wants, and returns them.
std::optional<Bytes> packed(const Bytes& block, const std::vector<NumberRun>& runs) {
  Bytes to(block.size() + 1000);
  const auto num_bytes = pack_numbers(block, runs, std::numeric_limits<int64_t>::max(), to);
  if (!num_bytes) return std::nullopt;
  to.resize(static_cast<size_t>(*num_bytes));
  return to;
}

void expect_same(const Bytes& block, const std::vector<NumberRun>& runs) {
  const auto bytes = packed(block, runs);
  ASSERT_TRUE(bytes);
  Bytes again(block.size(), 0xee);
  ASSERT_TRUE(unpack_numbers(*bytes, again));
  EXPECT_EQ(again, block);
  if (bytes->size() > block.size()) return;
  Bytes in_place(block.size(), 0xee);
  std::ranges::copy(*bytes, in_place.end() - static_cast<std::ptrdiff_t>(bytes->size()));
  ASSERT_TRUE(unpack_numbers(std::span(in_place).last(bytes->size()), in_place));
  EXPECT_EQ(in_place, block);
}

/// Appends numbers of a width, and notes their run.
template <class T>
void add(Bytes& block, std::vector<NumberRun>& runs, const std::vector<T>& numbers) {
  runs.push_back({static_cast<int64_t>(block.size()), static_cast<int64_t>(numbers.size()), sizeof(T)});
  const auto* bytes = reinterpret_cast<const uint8_t*>(numbers.data());
  block.insert(block.end(), bytes, bytes + numbers.size() * sizeof(T));
}

template <class T>
std::vector<T> numbers(T least, uint64_t spread, size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> found;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t above = spread == 0 ? 0 : random() % spread;
    found.push_back(static_cast<T>(static_cast<unsigned __int128>(least) + above));
  }
  return found;
}

template <class T>
class NumberPacking : public testing::Test {};

using Widths = testing::Types<int16_t, int32_t, int64_t, __int128>;
TYPED_TEST_SUITE(NumberPacking, Widths);

TYPED_TEST(NumberPacking, GivesBackNumbersOfEverySpread) {
  using T = TypeParam;
  const T extremes[] = {T(0), T(-1), T(-100), static_cast<T>(T(1) << (8 * sizeof(T) - 1)), T(1) << (8 * sizeof(T) - 3)};
  for (const T least : extremes) {
    for (int bits = 0; bits <= 8 * static_cast<int>(std::min(sizeof(T), sizeof(uint64_t))) - 3; ++bits) {
      for (const size_t count : {0, 1, 2, 9, 100}) {
        Bytes block = {1, 2, 3, 4, 5, 6, 7};
        std::vector<NumberRun> runs;
        add(block, runs, numbers<T>(least, uint64_t{1} << bits, count, 7));
        expect_same(block, runs);
      }
    }
  }
}

TEST(NumberPackingOfBlocks, TakesAsManyBytesAsTheNumbersNeed) {
  Bytes block;
  std::vector<NumberRun> runs;
  add(block, runs, numbers<int64_t>(1'000'000'000'000, 200, 1000, 1));
  add(block, runs, numbers<int64_t>(-5, 60'000, 1000, 2));
  add(block, runs, numbers<int32_t>(7, 0, 1000, 3));
  add(block, runs, numbers<__int128>(-9, 1 << 20, 1000, 4));
  block.insert(block.end(), 100, 42);
  const auto bytes = packed(block, runs);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size(), 8 + 4 * 48 + 1000 * (1 + 2 + 0 + 3) + 100);
  expect_same(block, runs);
}

TEST(NumberPackingOfBlocks, LeavesWhatHardlyGetsSmaller) {
  Bytes block;
  std::vector<NumberRun> runs;
  add(block, runs, numbers<int64_t>(0, 1000, 1000, 1));
  Bytes to(block.size());
  EXPECT_TRUE(pack_numbers(block, runs, 2100, to));
  EXPECT_FALSE(pack_numbers(block, runs, 2000, to));
  EXPECT_FALSE(pack_numbers(block, runs, 2100, std::span(to).first(2000)));
  EXPECT_FALSE(pack_numbers(block, {}, 8000, to));
}

TEST(NumberPackingOfBlocks, RefusesWhatWasNotPacked) {
  Bytes block;
  std::vector<NumberRun> runs;
  add(block, runs, numbers<int32_t>(0, 1000, 50, 1));
  add(block, runs, numbers<int64_t>(0, 1000, 50, 1));
  const Bytes bytes = *packed(block, runs);
  for (size_t place = 0; place < bytes.size(); ++place) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes damaged = bytes;
      damaged[place] ^= static_cast<uint8_t>(1 << bit);
      Bytes to(block.size());
      // It may be another block's, but touches no memory of others.
      static_cast<void>(unpack_numbers(damaged, to));
    }
  }
  for (size_t size = 0; size < bytes.size(); ++size) {
    Bytes to(block.size());
    EXPECT_FALSE(unpack_numbers(std::span(bytes).first(size), to)) << size;
  }
  Bytes shorter(block.size() - 1);
  EXPECT_FALSE(unpack_numbers(bytes, shorter));
}

}  // namespace
}  // namespace accelerant::spill
