#include "planner/distinct_steps.h"

#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::columns;
using test::file_scan;

/// Groups by some columns of a node, and emits some of the keys.
NodePtr groups(const NodePtr& input, const std::vector<int>& keys, const std::vector<int>& given) {
  auto node = test::grouped(input, keys);
  node->result = columns(given);
  node->output.resize(given.size());
  return node;
}

TEST(DropDistinctSteps, ChooseColumnsOfGroups) {
  const NodePtr lower = groups(file_scan(), {2, 0}, {1, 0});
  const NodePtr root = drop_distinct_steps(groups(groups(lower, {1, 0}, {0, 1}), {0, 1}, {1}));
  ASSERT_TRUE(root->is<plan::Project>());
  EXPECT_EQ(root->as<plan::Project>().program->input_of(0), 1);
  ASSERT_TRUE(root->inputs[0]->is<plan::Project>());
  EXPECT_EQ(root->inputs[0]->as<plan::Project>().program->input_of(0), 1);
  EXPECT_EQ(root->inputs[0]->inputs[0], lower);
}

TEST(DropDistinctSteps, GroupWhatMayHaveEqualRows) {
  const NodePtr fewer_keys = groups(groups(file_scan(), {2, 0}, {0, 1}), {1}, {0});
  EXPECT_EQ(drop_distinct_steps(fewer_keys), fewer_keys);
  const NodePtr given_in_part = groups(groups(file_scan(), {2, 0}, {0}), {0}, {0});
  EXPECT_EQ(drop_distinct_steps(given_in_part), given_in_part);
  const NodePtr no_groups = groups(file_scan(), {2}, {0});
  EXPECT_EQ(drop_distinct_steps(no_groups), no_groups);
}

}  // namespace
}  // namespace accelerant::planner
