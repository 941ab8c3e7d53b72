#include "expressions/key_bound.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <numeric>

namespace accelerant::expressions {
namespace {

using columns::test::make_longs;
using Rows = std::vector<int32_t>;

Rows members(const KeySet& set, const columns::Column& column) {
  Rows rows(static_cast<size_t>(column.length()));
  std::iota(rows.begin(), rows.end(), 0);
  set.keep_members(column, rows);
  return rows;
}

TEST(KeyBound, HasAllValuesAtFirst) {
  for (const bool ascending : {true, false}) {
    const KeyBound bound(ascending, false);
    EXPECT_FALSE(bound.is_empty());
    EXPECT_TRUE(bound.has_nulls());
    EXPECT_TRUE(bound.may_meet(INT64_MIN, INT64_MIN));
    EXPECT_TRUE(bound.may_meet(INT64_MAX, INT64_MAX));
    EXPECT_EQ(members(bound, *make_longs({INT64_MIN, std::nullopt, INT64_MAX})), (Rows{0, 1, 2}));
  }
}

TEST(KeyBound, LosesWhatComesBehindIt) {
  const auto column = make_longs({7, 8, 9, std::nullopt, INT64_MIN, INT64_MAX});
  KeyBound ascending(true, true);
  ascending.move_to(8);
  ascending.move_to(9);
  EXPECT_EQ(members(ascending, *column), (Rows{0, 1, 3, 4}));
  EXPECT_TRUE(ascending.may_meet(8, 100));
  EXPECT_FALSE(ascending.may_meet(9, 100));
  EXPECT_TRUE(ascending.has_nulls());
  KeyBound descending(false, false);
  descending.move_to(~int64_t{8});
  EXPECT_EQ(members(descending, *column), (Rows{1, 2, 5}));
  EXPECT_TRUE(descending.may_meet(-100, 8));
  EXPECT_FALSE(descending.may_meet(-100, 7));
  EXPECT_FALSE(descending.has_nulls());
}

TEST(KeyBound, LooksIntoDictionariesAndConstants) {
  KeyBound bound(true, false);
  bound.move_to(5);
  const auto dictionary = columns::test::make_dictionary(make_longs({9, 5}), {0, 1, std::nullopt, 1});
  EXPECT_EQ(members(bound, *dictionary), (Rows{1, 3}));
  EXPECT_EQ(members(bound, *columns::Column::constant(make_longs({6}), 2)), Rows());
  EXPECT_EQ(members(bound, *columns::Column::constant(make_longs({5}), 2)), (Rows{0, 1}));
}

}  // namespace
}  // namespace accelerant::expressions
