#include "planner/bounded_column.h"

#include "plan/filter.h"
#include "plan/limit.h"
#include "plan/project.h"
#include "plan/top_k.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

using test::above;
using test::columns;
using test::kLong;

std::shared_ptr<plan::TopK> top_k(const plan::NodePtr& input, int column) {
  auto node = above<plan::TopK>(input);
  node->keys = {{column, false, false}, {0, true, true}};
  node->limit = 2;
  return node;
}

std::shared_ptr<plan::Project> projected(const plan::NodePtr& input,
                                         std::shared_ptr<const expressions::Program> program) {
  auto node = above<plan::Project>(input);
  node->program = std::move(program);
  return node;
}

/// `column + column`, which may overflow, in the third place.
std::shared_ptr<const expressions::Program> failing() {
  expressions::ProgramBuilder builder;
  const auto column = builder.input(0, kLong, true);
  const auto sum = builder.call("org.apache.spark.sql.catalyst.expressions.Add", {column, column}, kLong,
                                expressions::EvalMode::Ansi, 1);
  const std::vector<expressions::Slot> outputs = {column, column, sum};
  return std::move(builder).finish(outputs);
}

/// Returns the column of a scan that a top-k by a column of what transforms make of it bounds.
std::optional<int> bounded(const std::vector<plan::NodePtr>& transforms, int column) {
  const auto scan = test::source();
  return bounded_column(scan, transforms, *top_k(scan, column));
}

TEST(BoundedColumn, FollowsTheFirstKeyToTheScan) {
  const auto input = test::source();
  EXPECT_EQ(bounded({}, 2), 2);
  EXPECT_EQ(bounded({projected(input, columns({0, 2, 1}))}, 1), 2);
  EXPECT_EQ(bounded({projected(input, columns({2, 0, 1})), projected(input, columns({1, 0}))}, 1), 2);
}

TEST(BoundedColumn, FollowsTheProbeSideOfJoins) {
  const auto input = test::source();
  EXPECT_EQ(bounded({test::join(input, test::source())}, 2), 2);
  EXPECT_EQ(bounded({test::join(input, test::source())}, 3), std::nullopt) << "a column of the build side";
  EXPECT_EQ(bounded({test::join(input, test::source(), plan::JoinType::FullOuter)}, 2), std::nullopt);
  const auto builds_left = test::join(test::source(), input);
  builds_left->builds_left = true;
  EXPECT_EQ(bounded({builds_left}, 4), 1);
}

TEST(BoundedColumn, StopsWhereARowMayFailOrRowsAreChosen) {
  const auto input = test::source();
  EXPECT_EQ(bounded({projected(input, failing())}, 0), std::nullopt);
  EXPECT_EQ(bounded({above<plan::Limit>(input)}, 0), std::nullopt);
  const auto node = projected(input, columns({0}));
  EXPECT_EQ(bounded_column(node, {}, *top_k(node, 0)), std::nullopt);
}

}  // namespace
}  // namespace accelerant::planner
