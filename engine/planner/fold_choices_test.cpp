#include "planner/fold_choices.h"

#include "plan/sort.h"
#include "plan/union.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::above;
using test::choice;
using test::columns;
using test::file_scan;
using test::filter;
using test::grouped;
using test::join;

TEST(FoldChoices, LetsWhatIsAboveReadTheColumnsWhereTheyAre) {
  const NodePtr root = fold_choices(grouped(filter(choice(file_scan(), {2, 1}), {1}), {0}));
  EXPECT_EQ(root->as<plan::Aggregate>().input->inputs(), (std::vector<int>{2}));
  const NodePtr& filtered = root->inputs[0];
  EXPECT_EQ(filtered->programs()[0]->inputs(), (std::vector<int>{1}));
  EXPECT_EQ(filtered->output.size(), 3u);
  EXPECT_TRUE(filtered->inputs[0]->is<plan::Scan>());
}

TEST(FoldChoices, MovesKeysOfSortsAndJoins) {
  auto sort = above<plan::Sort>(choice(file_scan(), {2, 0}));
  sort->keys = {{1, true, true}};
  const NodePtr root = fold_choices(grouped(join(choice(file_scan(), {1}), sort), {2}));
  EXPECT_EQ(root->as<plan::Aggregate>().input->inputs(), (std::vector<int>{3}));
  const auto& joined = root->inputs[0]->as<plan::Join>();
  EXPECT_EQ(joined.output.size(), 6u);
  EXPECT_EQ(joined.left_keys->inputs(), (std::vector<int>{1}));
  EXPECT_EQ(joined.right_keys->inputs(), (std::vector<int>{2}));
  EXPECT_EQ(joined.inputs[1]->as<plan::Sort>().keys[0].column, 0);
}

TEST(FoldChoices, KeepsNullsOfOuterJoins) {
  NodePtr scan = file_scan();
  auto strict = std::make_shared<plan::Scan>(scan->as<plan::Scan>());
  for (plan::OutputColumn& column : strict->output) column.nullable = false;
  const NodePtr root = fold_choices(join(choice(strict, {1}), choice(strict, {1}), plan::JoinType::LeftOuter));
  ASSERT_TRUE(root->is<plan::Project>());
  const std::vector<plan::OutputColumn>& joined = root->inputs[0]->output;
  EXPECT_FALSE(joined[2].nullable);
  EXPECT_TRUE(joined[3].nullable);
}

TEST(FoldChoices, LeavesOneWhereColumnsHaveToBeInPlace) {
  auto both = above<plan::Union>(choice(choice(file_scan(1), {2, 1, 0}), {0, 1, 2}));
  both->inputs.push_back(choice(file_scan(2), {0, 1, 2}));
  const NodePtr root = fold_choices(both);
  ASSERT_TRUE(root->inputs[0]->is<plan::Project>());
  EXPECT_EQ(root->inputs[0]->as<plan::Project>().program->input_of(0), 2);
  EXPECT_TRUE(root->inputs[0]->inputs[0]->is<plan::Scan>());
  EXPECT_TRUE(root->inputs[1]->is<plan::Scan>());
}

TEST(FoldChoices, RenamesColumnsInPlace) {
  auto renamed = choice(file_scan(4), {0, 1, 2});
  renamed->plan_node = 7;
  renamed->output[1].name = "other";
  const NodePtr root = fold_choices(renamed);
  ASSERT_TRUE(root->is<plan::Scan>());
  EXPECT_EQ(root->output[1].name, "other");
  EXPECT_EQ(root->plan_node, 4);
  EXPECT_EQ(root->fused, (std::vector<int>{7}));
}

TEST(FoldChoices, SharesWhatHasNone) {
  const NodePtr root = grouped(filter(file_scan(), {1}), {0});
  EXPECT_EQ(fold_choices(root), root);
}

}  // namespace
}  // namespace accelerant::planner
