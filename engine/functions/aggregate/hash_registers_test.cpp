#include "functions/aggregate/hash_registers.h"

#include "aggregates/text_store.h"
#include "base/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace accelerant::functions {
namespace {

using aggregates::TextStore;
using Ranks = std::map<uint32, uint32>;

std::shared_ptr<memory::Budget> unlimited() {
  return std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
}

/// Registers as the paper has them.
struct Plain {
  int32 precision;
  Ranks ranks;

  void add(uint64 hash) {
    const auto at = static_cast<uint32>(hash >> (64 - precision));
    const int zeros = std::min(std::countl_zero(hash << precision), 64 - precision);
    ranks[at] = std::max(ranks[at], static_cast<uint32>(zeros) + 1);
  }
};

Ranks ranks_of(const HashRegisters& registers, int32 precision) {
  Ranks ranks;
  registers.for_each(precision, [&](uint32 at, uint32 rank) {
    EXPECT_TRUE(ranks.emplace(at, rank).second) << "register " << at << " twice";
  });
  return ranks;
}

TEST(HashRegisters, KeepTheGreatestRankOfEach) {
  for (const int32 precision : {4, 5, 9, 14}) {
    std::mt19937_64 random(5);
    TextStore store(unlimited());
    HashRegisters registers = HashRegisters::init();
    Plain plain{precision, {}};
    for (int i = 0; i < 4000; ++i) {
      const uint64 hash = random() >> (i % 3 == 0 ? i % 50 : 0);
      registers.add(hash, precision, store);
      plain.add(hash);
      if (i % 400 == 5) {
        ASSERT_EQ(ranks_of(registers, precision), plain.ranks) << i;
      }
    }
    EXPECT_EQ(ranks_of(registers, precision), plain.ranks);
  }
}

TEST(HashRegisters, RankHashesWithoutFurtherBits) {
  TextStore store(unlimited());
  HashRegisters registers = HashRegisters::init();
  registers.add(0, 9, store);
  registers.add(~uint64{0}, 9, store);
  EXPECT_EQ(ranks_of(registers, 9), (Ranks{{0, 56}, {511, 1}}));
}

TEST(HashRegisters, MergeFewAndMany) {
  constexpr int32 kPrecision = 9;
  const std::vector<std::pair<int, int>> sizes = {{0, 5}, {5, 0}, {20, 20}, {20, 3000}, {3000, 20}, {3000, 3000}};
  for (const auto& [left, right] : sizes) {
    std::mt19937_64 random(static_cast<uint64>(left * 7 + right));
    TextStore store(unlimited());
    TextStore other_store(unlimited());
    HashRegisters into = HashRegisters::init();
    HashRegisters from = HashRegisters::init();
    Plain plain{kPrecision, {}};
    for (int i = 0; i < left + right; ++i) {
      const uint64 hash = random();
      i < left ? into.add(hash, kPrecision, store) : from.add(hash, kPrecision, other_store);
      plain.add(hash);
    }
    into.merge(from, kPrecision, store);
    EXPECT_EQ(ranks_of(into, kPrecision), plain.ranks) << left << " and " << right;
  }
}

TEST(HashRegisters, AreSmallWhereFewHoldSomething) {
  TextStore store(unlimited());
  HashRegisters registers = HashRegisters::init();
  EXPECT_EQ(registers.bytes.length, 0);
  std::mt19937_64 random(1);
  for (int i = 0; i < 3; ++i) registers.add(random(), 14, store);
  EXPECT_EQ(registers.bytes.length, 16);
  for (int i = 0; i < 100'000; ++i) registers.add(random(), 14, store);
  EXPECT_TRUE(registers.is_dense(14));
  EXPECT_EQ(registers.bytes.length, 1 << 14);
}

TEST(HashRegisters, StayWhatTheyWereWhereThereIsNoRoom) {
  TextStore store(std::make_shared<memory::Budget>("test", 8192));
  HashRegisters registers = HashRegisters::init();
  Plain plain{18, {}};
  std::mt19937_64 random(2);
  const auto add_many = [&] {
    for (int i = 0; i < 10'000; ++i) {
      const uint64 hash = random();
      registers.add(hash, 18, store);
      plain.add(hash);
    }
  };
  EXPECT_THROW(add_many(), Error);
  EXPECT_EQ(ranks_of(registers, 18), plain.ranks);
}

}  // namespace
}  // namespace accelerant::functions
