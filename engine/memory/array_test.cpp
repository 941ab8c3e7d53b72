#include "memory/array.h"

#include "base/error.h"
#include "memory/reservation_probe.h"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

namespace accelerant::memory {
namespace {

std::shared_ptr<Budget> budget_of(int64_t bytes) { return std::make_shared<Budget>("test", bytes); }

TEST(ArrayTest, GrowsWithItsValues) {
  const auto budget = budget_of(Budget::kUnlimited);
  Array<int32_t> array(budget);
  EXPECT_TRUE(array.empty());
  EXPECT_EQ(budget->used_bytes(), 0);
  for (int32_t i = 0; i < 1000; ++i) array.push_back(i);
  std::vector<int32_t> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(std::vector<int32_t>(array.begin(), array.end()), expected);
  EXPECT_GE(budget->used_bytes(), 4000);
  EXPECT_LT(budget->used_bytes(), 3 * 4000);
}

TEST(ArrayTest, IsAsItWasWhereMemoryIsShort) {
  const auto budget = budget_of(1500);
  Array<int64_t> array(budget);
  array.append(50, 7);
  EXPECT_THROW(array.append(100, 8), Error);
  EXPECT_EQ(array.size(), 50);
  {
    const ReservationProbe probe(0, nullptr);
    EXPECT_THROW(array.resize(60, 9), MemoryWait);
  }
  EXPECT_EQ(array.size(), 50);
  EXPECT_EQ(array[49], 7);
  array.resize(55, 9);
  EXPECT_EQ(array.back(), 9);
}

TEST(ArrayTest, AppendsItsOwnValueWhileItMoves) {
  Array<int64_t> array(budget_of(Budget::kUnlimited));
  array.push_back(41);
  while (array.size() < array.capacity()) array.push_back(0);
  array.push_back(array[0]);
  EXPECT_EQ(array.back(), 41);
  array.append(1000, array[0]);
  EXPECT_EQ(array.back(), 41);
}

TEST(ArrayTest, GivesItsMemoryBack) {
  const auto budget = budget_of(Budget::kUnlimited);
  {
    Array<int64_t> array(budget);
    array.append(100, 1);
    Array<int64_t> moved(std::move(array));
    EXPECT_EQ(moved.size(), 100);
    moved = Array<int64_t>(budget);
    EXPECT_EQ(budget->used_bytes(), 0);
    moved.push_back(2);
  }
  EXPECT_EQ(budget->used_bytes(), 0);
}

}  // namespace
}  // namespace accelerant::memory
