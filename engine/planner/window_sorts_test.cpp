#include "planner/window_sorts.h"

#include "plan/window.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using plan::WindowKind;

/// A window by a, in the order of some columns, above a node.
std::shared_ptr<plan::Window> window(const NodePtr& input, std::vector<int> order, WindowKind kind, int plan_node) {
  auto node = test::above<plan::Window>(input);
  node->plan_node = plan_node;
  node->keys = {{0, true, true}};
  for (const int column : order) node->keys.push_back({column, true, true});
  node->num_partition_keys = 1;
  for (size_t i = 0; i < input->output.size(); ++i) node->passed.push_back(static_cast<int>(i));
  node->calls.emplace_back();
  node->calls.back().kind = kind;
  node->calls.back().num_keys = node->keys.size();
  node->output.push_back({"w" + std::to_string(plan_node), types::DataType(types::TypeId::Int)});
  return node;
}

std::string shared(const NodePtr& root) {
  const NodePtr changed = share_window_sorts(root);
  EXPECT_EQ(changed->output, root->output);
  return changed->describe() + (changed->inputs.front()->is<plan::Window>() ? " above a window" : "");
}

TEST(ShareWindowSorts, LetsTheShorterOrderTakeThatOfTheLonger) {
  const auto lower = window(test::file_scan(), {1, 2}, WindowKind::RowNumber, 3);
  const auto upper = window(lower, {1}, WindowKind::Rank, 4);
  EXPECT_EQ(shared(upper),
            "keys=[0 asc nulls first, 1 asc nulls first, 2 asc nulls first] partition=1 calls=[row_number, rank]");
  const NodePtr changed = share_window_sorts(upper);
  EXPECT_EQ(changed->as<plan::Window>().calls.back().num_keys, 2);
  EXPECT_EQ(changed->fused, std::vector<int>{3});
}

TEST(ShareWindowSorts, SortsFurtherForWhatDoesNotMind) {
  const auto ranks = window(test::file_scan(), {1}, WindowKind::Rank, 3);
  EXPECT_EQ(shared(window(ranks, {1, 2}, WindowKind::RowNumber, 4)),
            "keys=[0 asc nulls first, 1 asc nulls first, 2 asc nulls first] partition=1 calls=[rank, row_number]");
  const auto numbers = window(test::file_scan(), {1}, WindowKind::RowNumber, 3);
  EXPECT_EQ(shared(window(numbers, {1, 2}, WindowKind::RowNumber, 4)),
            "keys=[0 asc nulls first, 1 asc nulls first, 2 asc nulls first] partition=1 calls=[row_number]"
            " above a window");
}

TEST(ShareWindowSorts, LeavesWindowsOfOtherOrdersAndOfResults) {
  const auto lower = window(test::file_scan(), {1}, WindowKind::Rank, 3);
  EXPECT_TRUE(shared(window(lower, {2}, WindowKind::Rank, 4)).ends_with("above a window"));
  EXPECT_TRUE(shared(window(lower, {3}, WindowKind::Rank, 4)).ends_with("above a window"));
  const auto of_result = window(lower, {1}, WindowKind::LastValue, 4);
  of_result->calls.back().arguments = {3};
  EXPECT_TRUE(shared(of_result).ends_with("above a window"));
}

}  // namespace
}  // namespace accelerant::planner
