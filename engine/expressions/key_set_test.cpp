#include "expressions/key_set.h"

#include "base/error.h"
#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>

namespace accelerant::expressions {
namespace {

using columns::test::make_longs;
using columns::test::unlimited;
using Longs = std::vector<std::optional<int64_t>>;

std::vector<int32_t> members(const KeySet& set, const columns::Column& column) {
  std::vector<int32_t> rows(static_cast<size_t>(column.length()));
  std::iota(rows.begin(), rows.end(), 0);
  set.keep_members(column, rows);
  return rows;
}

using Rows = std::vector<int32_t>;

TEST(KeySet, KnowsNumbersThatLieCloseTogetherExactly) {
  const KeySet set(*make_longs({5, -3, std::nullopt, 9}), unlimited());
  EXPECT_EQ(members(set, *make_longs({-4, -3, 0, 5, std::nullopt, 9, 10, INT64_MIN, INT64_MAX})), (Rows{1, 3, 5}));
  EXPECT_TRUE(set.may_meet(9, 100));
  EXPECT_FALSE(set.may_meet(10, 100));
  EXPECT_FALSE(set.may_meet(-100, -4));
}

TEST(KeySet, HasNoMembersOfNulls) {
  const KeySet set(*make_longs({std::nullopt}), unlimited());
  EXPECT_TRUE(set.is_empty());
  EXPECT_FALSE(set.may_meet(INT64_MIN, INT64_MAX));
  EXPECT_EQ(members(set, *make_longs({0, std::nullopt})), Rows());
}

TEST(KeySet, LosesNoneOfNumbersFarApart) {
  std::mt19937_64 random(7);
  Longs values = {INT64_MIN, INT64_MAX, 0};
  for (int i = 0; i < 50'000; ++i) values.push_back(static_cast<int64_t>(random()));
  const KeySet set(*make_longs(values), unlimited());
  EXPECT_EQ(members(set, *make_longs(values)).size(), values.size());
  Longs others;
  for (int i = 0; i < 50'000; ++i) others.push_back(static_cast<int64_t>(random()));
  EXPECT_LT(members(set, *make_longs(others)).size(), 2'500u);
}

TEST(KeySet, TakesNumbersInParts) {
  KeySet set(1000, unlimited());
  EXPECT_TRUE(set.is_empty());
  for (int64_t i = 0; i < 1000; i += 2) set.add(*make_longs({i * 1'000'003, std::nullopt, (i + 1) * 1'000'003}));
  Longs values;
  Longs others;
  for (int64_t i = 0; i < 1000; ++i) {
    values.push_back(i * 1'000'003);
    others.push_back(i * 1'000'003 + 1);
  }
  EXPECT_EQ(members(set, *make_longs(values)).size(), values.size());
  EXPECT_LT(members(set, *make_longs(others)).size(), 50u);
  EXPECT_FALSE(set.may_meet(INT64_MIN, -1));
  EXPECT_FALSE(set.may_meet(999 * 1'000'003 + 1, INT64_MAX));
  EXPECT_EQ(members(set, *make_longs({std::nullopt})), Rows());
}

TEST(KeySet, AsksOnceForEachValueOfADictionary) {
  const KeySet set(*make_longs({10, 30}), unlimited());
  const auto column = columns::test::make_dictionary(make_longs({10, 20, 30, std::nullopt}), {0, 1, 2, 3, 2});
  EXPECT_EQ(members(set, *column), (Rows{0, 2, 4}));
}

TEST(KeySet, AsksOnceForAConstant) {
  const KeySet set(*make_longs({10, 30}), unlimited());
  EXPECT_EQ(members(set, *columns::Column::constant(make_longs({30}), 2)), (Rows{0, 1}));
  EXPECT_EQ(members(set, *columns::Column::constant(make_longs({20}), 2)), Rows());
  EXPECT_EQ(members(set, *columns::Column::nulls(types::DataType(types::TypeId::Long), 2, unlimited())), Rows());
}

TEST(KeySet, AsksOnlyForTheRowsGiven) {
  const KeySet set(*make_longs({1, 2, 3}), unlimited());
  Rows rows = {1, 3};
  set.keep_members(*make_longs({1, 2, 3, 4}), rows);
  EXPECT_EQ(rows, Rows{1});
}

TEST(KeySet, GivesItsMemoryBack) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  {
    const KeySet set(*make_longs({1, 1'000'000}), budget);
    EXPECT_GE(budget->used_bytes(), 125'000);
    EXPECT_LT(budget->used_bytes(), 200'000);
  }
  EXPECT_EQ(budget->used_bytes(), 0);
}

}  // namespace
}  // namespace accelerant::expressions
