#include "operators/distinct_pairs.h"

#include "base/error.h"
#include "execution/context.h"
#include "memory/budget.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

namespace accelerant::operators {
namespace {

TEST(DistinctPairs, MeetsEachPairOnce) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  {
    DistinctPairs pairs(budget);
    std::set<std::pair<int32_t, uint64_t>> expected;
    std::mt19937_64 random(3);
    for (int batch = 0; batch < 20; ++batch) {
      std::vector<GroupValue> added;
      size_t num_new = 0;
      for (int i = 0; i < 3000; ++i) {
        const uint64_t value = random() % 400;
        added.push_back({value, static_cast<int32_t>(1 + random() % 60)});
        num_new += expected.insert({added.back().group, value}).second;
      }
      pairs.insert(added, [&](int32_t group) {
        EXPECT_GT(group, 0);
        --num_new;
      });
      EXPECT_EQ(num_new, 0);
    }
    EXPECT_EQ(pairs.size(), expected.size());
    size_t num_places = 0;
    for (const GroupValue& pair : pairs.places())
      num_places += pair.group != 0 && expected.contains({pair.group, pair.value});
    EXPECT_EQ(num_places, expected.size());
    EXPECT_GE(budget->used_bytes(), static_cast<int64_t>(pairs.places().size_bytes()));
  }
  EXPECT_EQ(budget->used_bytes(), 0);
}

TEST(DistinctPairs, HasRoomForWhatItWasToldOf) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  DistinctPairs pairs(budget);
  pairs.reserve(10'000);
  const size_t num_places = pairs.places().size();
  std::vector<GroupValue> many;
  for (uint64_t i = 0; i < 10'000; ++i) many.push_back({i, 1});
  pairs.insert(many, [](int32_t) {});
  EXPECT_EQ(pairs.places().size(), num_places);
}

TEST(DistinctPairs, LooksAtTheCancellationWhereItMovesMuch) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  execution::Cancellation cancellation;
  DistinctPairs pairs(budget, &cancellation);
  std::vector<GroupValue> many;
  for (uint64_t i = 0; i < 10'000; ++i) many.push_back({i, 1});
  pairs.insert(many, [](int32_t) {});
  cancellation.cancel();
  EXPECT_THROW(pairs.reserve(1'000'000), Error);
  EXPECT_THROW(pairs.for_each_place(&cancellation, [](const GroupValue&) {}), Error);
}

TEST(DistinctPairs, ReservesBeforeItGrows) {
  const auto budget = std::make_shared<memory::Budget>("test", 20'000);
  DistinctPairs pairs(budget);
  std::vector<GroupValue> many;
  for (uint64_t i = 0; i < 5000; ++i) many.push_back({i, 1});
  EXPECT_THROW(pairs.insert(many, [](int32_t) {}), Error);
  EXPECT_LE(budget->peak_bytes(), 20'000);
}

}  // namespace
}  // namespace accelerant::operators
