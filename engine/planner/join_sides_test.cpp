#include "planner/join_sides.h"

#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

using plan::JoinType;
using test::join;
using test::scan_of;

const plan::Join& as_join(const plan::NodePtr& node) { return node->as<plan::Join>(); }

TEST(JoinSides, BuildTheSmallerSide) {
  Tables tables;
  const auto small = scan_of(tables, 1000, {999, 9, 9});
  const auto large = scan_of(tables, 1000000, {999, 9, 9});
  Estimator estimator(tables);
  EXPECT_TRUE(as_join(choose_join_sides(join(small, large), estimator)).builds_left);
  EXPECT_FALSE(as_join(choose_join_sides(join(large, small), estimator)).builds_left);
}

TEST(JoinSides, BuildWhatSparkBuildsOfFewRows) {
  Tables tables;
  const auto few = scan_of(tables, 100, {999, 9, 9});
  const auto more = scan_of(tables, 2000, {999, 9, 9});
  const auto many = scan_of(tables, 1000000, {999, 9, 9});
  Estimator estimator(tables);
  const auto builds_left = [&](const plan::NodePtr& left, const plan::NodePtr& right, std::optional<bool> sparks,
                               JoinType type = JoinType::Inner) {
    const auto root = join(left, right, type);
    root->spark_builds_left = sparks;
    return as_join(choose_join_sides(root, estimator)).builds_left;
  };
  EXPECT_FALSE(builds_left(few, more, false));
  EXPECT_TRUE(builds_left(more, few, true));
  EXPECT_TRUE(builds_left(few, more, std::nullopt)) << "Spark sorts both";
  EXPECT_TRUE(builds_left(few, many, false));
  EXPECT_FALSE(builds_left(few, more, std::nullopt, JoinType::LeftOuter));
  EXPECT_TRUE(builds_left(more, few, std::nullopt, JoinType::RightOuter));
  EXPECT_TRUE(builds_left(few, many, std::nullopt, JoinType::LeftOuter));
}

TEST(JoinSides, BuildTheSideOfFewerBytes) {
  Tables tables;
  const auto narrow = scan_of(tables, 1200000, {99999999, 9, 9});
  const auto wide = scan_of(tables, 1000000, {99999999, 9, 9});
  const auto root = join(narrow, wide);
  root->wanted = {true, false, false, true, true, true};
  Estimator estimator(tables);
  EXPECT_TRUE(as_join(choose_join_sides(root, estimator)).builds_left);
  root->wanted = {};
  EXPECT_FALSE(as_join(choose_join_sides(root, estimator)).builds_left);
}

TEST(JoinSides, BuildTheSideWhoseKeysAreItsPlaces) {
  Tables tables;
  const auto dense = scan_of(tables, 1200000, {1999999, 9, 9});
  const auto sparse = scan_of(tables, 1000000, {99999999, 9, 9});
  Estimator estimator(tables);
  EXPECT_TRUE(as_join(choose_join_sides(join(dense, sparse), estimator)).builds_left);
}

TEST(JoinSides, CountWhatTheKeysOfJoinsAboveLeave) {
  Tables tables;
  const auto few = scan_of(tables, 100, {9999, 9, 9});
  const auto lines = scan_of(tables, 1000000, {9999, 9, 9});
  const auto others = scan_of(tables, 1000000, {9999, 9, 9});
  const auto semi = join(lines, others, JoinType::LeftSemi);
  Estimator estimator(tables);
  EXPECT_FALSE(as_join(choose_join_sides(semi, estimator)).builds_left) << "both sides are large";
  const plan::NodePtr above = choose_join_sides(join(few, semi), estimator);
  EXPECT_TRUE(as_join(above).builds_left);
  EXPECT_TRUE(as_join(above->inputs[1]).builds_left) << "of `lines` a hundredth is left";
}

TEST(JoinSides, CountNothingWhereRowsMustStay) {
  Tables tables;
  const auto few = scan_of(tables, 100, {9999, 9, 9});
  const auto lines = scan_of(tables, 1000000, {9999, 9, 9});
  const auto others = scan_of(tables, 900000, {9999, 9, 9});
  Estimator estimator(tables);
  const auto build_of_lower = [&](JoinType lower, JoinType upper) {
    const plan::NodePtr root = choose_join_sides(join(join(lines, others, lower), few, upper), estimator);
    return as_join(root->inputs[0]).builds_left;
  };
  EXPECT_TRUE(build_of_lower(JoinType::LeftOuter, JoinType::Inner)) << "a hundredth of the left rows is wanted";
  EXPECT_FALSE(build_of_lower(JoinType::LeftOuter, JoinType::LeftOuter)) << "all left rows are";
}

}  // namespace
}  // namespace accelerant::planner
