#include "planner/unread_columns.h"

#include "plan/limit.h"
#include "plan/sort.h"
#include "plan/union.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::planner {
namespace {

using plan::JoinType;
using plan::NodePtr;
using test::above;
using test::columns;
using test::grouped;
using test::join;
using test::source;

/// Returns what is read of a join's columns, as digits.
std::string wanted_of(const NodePtr& node) {
  std::string text;
  for (const bool is_read : node->as<plan::Join>().wanted) text += is_read ? '1' : '0';
  return text;
}

TEST(DropUnreadColumns, KeepsAllOfTheRoot) {
  EXPECT_EQ(wanted_of(drop_unread_columns(join(source(), source()))), "111111");
}

TEST(DropUnreadColumns, FollowsColumnsThroughNodesThatPassThemOn) {
  auto sort = above<plan::Sort>(join(source(), source()));
  sort->keys = {{2, true, true}};
  const NodePtr root = drop_unread_columns(grouped(above<plan::Limit>(test::filter(sort, {3})), {1}));
  EXPECT_EQ(wanted_of(root->inputs[0]->inputs[0]->inputs[0]->inputs[0]), "011100");
}

TEST(DropUnreadColumns, AsksForKeysAndConditionsOfJoinsAbove) {
  auto upper = join(join(source(), source()), source());
  upper->condition = columns({5, 7});
  const NodePtr root = drop_unread_columns(grouped(upper, {8}));
  EXPECT_EQ(wanted_of(root->inputs[0]), "000000001");
  EXPECT_EQ(wanted_of(root->inputs[0]->inputs[0]), "100001");
}

TEST(DropUnreadColumns, ReadsNoMoreThanTheKeysOfARightSideThatIsNotGivenOut) {
  const NodePtr root = drop_unread_columns(join(source(), join(source(), source()), JoinType::LeftAnti));
  EXPECT_EQ(wanted_of(root), "111");
  EXPECT_EQ(wanted_of(root->inputs[1]), "100000");
}

TEST(DropUnreadColumns, AsksAllInputsOfAUnionForTheSame) {
  auto both = above<plan::Union>(join(source(), source()));
  both->inputs.push_back(join(source(), source()));
  const NodePtr root = drop_unread_columns(grouped(both, {4}));
  EXPECT_EQ(wanted_of(root->inputs[0]->inputs[0]), "000010");
  EXPECT_EQ(wanted_of(root->inputs[0]->inputs[1]), "000010");
}

TEST(DropUnreadColumns, LeavesTreesWithoutJoinsAsTheyAre) {
  const NodePtr root = grouped(source(), {1});
  EXPECT_EQ(drop_unread_columns(root), root);
}

}  // namespace
}  // namespace accelerant::planner
