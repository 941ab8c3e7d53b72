#include "planner/group_limits.h"

#include "plan/group_limit.h"
#include "plan/local_sort.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <string>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using plan::WindowKind;
using test::above;
using test::file_scan;

/// Limits partitions by a, in the order of a column.
NodePtr limited(const NodePtr& input, int order, int64_t rows = 3) {
  auto node = above<plan::GroupLimit>(input);
  node->keys = {{0, true, true}, {order, true, true}};
  node->num_partition_keys = 1;
  node->limit = {WindowKind::Rank, rows};
  return node;
}

/// A window by a, in the order of b, of one function.
NodePtr window(const NodePtr& input, WindowKind kind, plan::FrameBound upper = {plan::FrameBound::Kind::Rows, 0, -1}) {
  auto node = above<plan::Window>(input);
  node->keys = {{0, true, true}, {1, true, true}};
  node->num_partition_keys = 1;
  node->calls.emplace_back();
  node->calls.back().kind = kind;
  node->calls.back().number = 1;
  node->calls.back().frame.upper = upper;
  return node;
}

/// Returns the limit that a window has taken over. None is left below it.
std::string taken(const NodePtr& root) {
  const NodePtr changed = drop_group_limits(root);
  for (NodePtr node = changed; !node->inputs.empty(); node = node->inputs.front()) {
    EXPECT_FALSE(node->is<plan::GroupLimit>());
  }
  const auto& limit = changed->as<plan::Window>().limit;
  return limit ? plan::describe(*limit) : "";
}

TEST(DropGroupLimits, LetsTheWindowAboveLeaveRowsOut) {
  EXPECT_EQ(taken(window(limited(file_scan(), 1), WindowKind::Rank)), "rank<=3");
  EXPECT_EQ(taken(window(limited(limited(file_scan(), 1), 1), WindowKind::RowNumber)), "rank<=3");
  EXPECT_EQ(taken(window(above<plan::LocalSort>(limited(file_scan(), 1)), WindowKind::Rank)), "rank<=3");
}

TEST(DropGroupLimits, LeavesNoneToWindowsThatNeedAllRows) {
  EXPECT_EQ(taken(window(limited(file_scan(), 2), WindowKind::Rank)), "");
  EXPECT_EQ(taken(window(limited(file_scan(), 1, 0), WindowKind::Rank)), "");
  EXPECT_EQ(taken(window(limited(file_scan(), 1), WindowKind::PercentRank)), "");
  EXPECT_EQ(taken(window(limited(file_scan(), 1), WindowKind::Shift)), "");
  EXPECT_EQ(taken(window(limited(file_scan(), 1), WindowKind::LastValue, {})), "");
  EXPECT_EQ(taken(window(file_scan(), WindowKind::Rank)), "");
}

}  // namespace
}  // namespace accelerant::planner
