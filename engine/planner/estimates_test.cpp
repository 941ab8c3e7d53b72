#include "planner/estimates.h"

#include "plan/aggregate.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

using plan::JoinType;
using test::join;
using test::scan_of;

TEST(Estimator, TakesAReferenceToAKeyAsOneMatch) {
  Tables tables;
  const auto orders = scan_of(tables, 1000, {999, 9, 9});
  const auto items = scan_of(tables, 4000, {999, 9, 9});
  const auto both = join(items, orders);
  Estimator estimator(tables);
  EXPECT_DOUBLE_EQ(estimator.rows(*both), 4000);
}

/// Bounds say nothing of gaps: the references look like a key of the larger table too.
TEST(Estimator, TakesTheSmallerTablesKeyWhereBothLookLikeKeys) {
  Tables tables;
  const auto orders = scan_of(tables, 1000, {3999, 9, 9});
  const auto items = scan_of(tables, 4000, {3999, 9, 9});
  const auto both = join(items, orders);
  Estimator estimator(tables);
  EXPECT_DOUBLE_EQ(estimator.rows(*both), 4000);
}

/// Random numbers leave gaps everywhere.
TEST(Estimator, MindsNoGapsWhereBothSidesHaveThem) {
  Tables tables;
  const auto orders = scan_of(tables, 1000, {1e18, 9, 9});
  const auto items = scan_of(tables, 4000, {1e18, 9, 9});
  const auto both = join(items, orders);
  Estimator estimator(tables);
  EXPECT_DOUBLE_EQ(estimator.rows(*both), 4000);
}

TEST(Estimator, KeepsTheRowsThatOuterJoinsKeep) {
  Tables tables;
  const auto few = scan_of(tables, 10, {999, 9, 9});
  const auto many = scan_of(tables, 1000, {999, 9, 9});
  const auto rows = [&](JoinType type) {
    const auto joined = join(many, few, type);
    return Estimator(tables).rows(*joined);
  };
  EXPECT_DOUBLE_EQ(rows(JoinType::Inner), 10);
  EXPECT_DOUBLE_EQ(rows(JoinType::LeftOuter), 1000);
  EXPECT_DOUBLE_EQ(rows(JoinType::RightOuter), 10);
  EXPECT_DOUBLE_EQ(rows(JoinType::FullOuter), 1000);
  EXPECT_DOUBLE_EQ(rows(JoinType::LeftSemi), 10);
  EXPECT_DOUBLE_EQ(rows(JoinType::LeftAnti), 990);
  EXPECT_DOUBLE_EQ(rows(JoinType::Existence), 1000);
}

TEST(Estimator, CountsGroupsByTheValuesOfKeys) {
  Tables tables;
  const auto scan = scan_of(tables, 1000, {999, 9, 4});
  const auto groups = [&](std::vector<int> keys) {
    const auto node = test::above<plan::Aggregate>(scan);
    node->input = test::columns(keys);
    for (size_t i = 0; i < keys.size(); ++i) node->keys.push_back({"key", test::kLong});
    return Estimator(tables).rows(*node);
  };
  EXPECT_DOUBLE_EQ(groups({}), 1);
  EXPECT_DOUBLE_EQ(groups({1}), 10);
  EXPECT_DOUBLE_EQ(groups({1, 2}), 50);
  EXPECT_DOUBLE_EQ(groups({0, 1}), 1000);
}

TEST(Estimator, KnowsNothingOfATableThatSaysNothing) {
  const auto scan = test::source();
  Estimator estimator({});
  EXPECT_DOUBLE_EQ(estimator.rows(*scan), 1);
}

}  // namespace
}  // namespace accelerant::planner
