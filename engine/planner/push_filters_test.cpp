#include "planner/push_filters.h"

#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::file_scan;
using test::filter;

NodePtr numbered_filter(const NodePtr& input, const std::vector<int>& positions, int plan_node) {
  auto node = filter(input, positions);
  node->plan_node = plan_node;
  node->fused = {plan_node + 10};
  return node;
}

TEST(PushFilters, MakesEachConjunctAFilterOfTheScan) {
  const NodePtr root = push_filters(numbered_filter(file_scan(1), {2, 0}, 3));
  ASSERT_TRUE(root->is<plan::Scan>());
  const io::ScanSpec& spec = *root->as<plan::Scan>().spec;
  ASSERT_EQ(spec.filters.size(), 2u);
  EXPECT_EQ(spec.filters[0]->inputs(), (std::vector<int>{2}));
  EXPECT_EQ(spec.filters[1]->inputs(), (std::vector<int>{0}));
  EXPECT_EQ(spec.filter_plan_node, 3);
  EXPECT_EQ(root->plan_node, 1);
  EXPECT_EQ(root->fused, (std::vector<int>{13}));
}

TEST(PushFilters, LeavesASecondOneAbove) {
  const NodePtr root = push_filters(numbered_filter(numbered_filter(file_scan(1), {2}, 3), {0}, 4));
  ASSERT_TRUE(root->is<plan::Filter>());
  EXPECT_EQ(root->inputs[0]->as<plan::Scan>().spec->filter_plan_node, 3);
}

TEST(PushFilters, LeavesOthersWhereTheyAre) {
  const NodePtr root = filter(test::choice(file_scan(), {0}), {0});
  EXPECT_EQ(push_filters(root), root);
}

}  // namespace
}  // namespace accelerant::planner
