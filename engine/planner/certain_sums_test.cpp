#include "planner/certain_sums.h"

#include "plan/sort.h"
#include "plan/window.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

using plan::NodePtr;

/// Says whether an aggregation of a tree still adds up few numbers in their order.
bool adds_in_order(const NodePtr& input) {
  auto aggregate = test::grouped(input, {0});
  aggregate->adds_few_in_order = true;
  return make_sums_certain(aggregate)->as<plan::Aggregate>().adds_few_in_order;
}

/// Says whether sums of a window over a tree are exact.
bool is_exact(const NodePtr& input) {
  auto window = test::above<plan::Window>(input);
  window->calls.emplace_back();
  return make_sums_certain(window)->as<plan::Window>().calls.front().aggregate.exact;
}

TEST(MakeSumsCertain, LooksAtTheOrderOfRowsBelow) {
  const NodePtr rows = test::file_scan();
  const NodePtr groups = test::grouped(test::file_scan(), {0});
  EXPECT_TRUE(adds_in_order(rows));
  EXPECT_TRUE(adds_in_order(groups));  // they say where they have none
  EXPECT_TRUE(adds_in_order(test::join(groups, rows)));
  EXPECT_FALSE(adds_in_order(test::join(rows, groups)));
  EXPECT_FALSE(adds_in_order(test::above<plan::Sort>(groups)));
  EXPECT_FALSE(is_exact(rows));
  EXPECT_TRUE(is_exact(groups));
}

TEST(MakeSumsCertain, SharesWhatDoesNotChange) {
  const NodePtr root = test::filter(test::grouped(test::file_scan(), {0}), {1});
  EXPECT_EQ(make_sums_certain(root), root);
}

}  // namespace
}  // namespace accelerant::planner
