#include "planner/top_k_filter.h"

#include "columns/test_columns.h"
#include "expressions/key_set.h"
#include "operators/top_k.h"
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

const execution::Cancellation kNever;

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

/// A top-k by a column of what transforms make of a scan, and its sink.
struct Order {
  Order(std::vector<plan::NodePtr> transforms, int column)
      : feed{test::source(), std::move(transforms)},
        node(top_k(feed.source, column)),
        sink(node, {columns::test::unlimited(), &kNever, &metrics, 0, 8}) {}

  std::optional<execution::KeyFilter> filter() const { return top_k_filter({{feed}, node}, feed, sink); }

  Feed feed;
  std::shared_ptr<plan::TopK> node;
  execution::Metrics metrics;
  operators::TopKSink sink;
};

TEST(TopKFilter, FollowsTheFirstKeyToTheScan) {
  const auto input = test::source();
  EXPECT_EQ(Order({}, 2).filter()->column, 2);
  EXPECT_EQ(Order({projected(input, columns({0, 2, 1}))}, 1).filter()->column, 2);
  EXPECT_EQ(Order({projected(input, columns({2, 0, 1})), projected(input, columns({1, 0}))}, 1).filter()->column, 2);
}

TEST(TopKFilter, FollowsTheProbeSideOfJoins) {
  const auto input = test::source();
  EXPECT_EQ(Order({test::join(input, test::source())}, 2).filter()->column, 2);
  EXPECT_FALSE(Order({test::join(input, test::source())}, 3).filter()) << "a column of the build side";
  EXPECT_FALSE(Order({test::join(input, test::source(), plan::JoinType::FullOuter)}, 2).filter());
  const auto builds_left = test::join(test::source(), input);
  builds_left->builds_left = true;
  EXPECT_EQ(Order({builds_left}, 4).filter()->column, 1);
}

TEST(TopKFilter, StopsWhereARowMayFailOrRowsAreChosen) {
  const auto input = test::source();
  EXPECT_FALSE(Order({projected(input, failing())}, 0).filter());
  EXPECT_FALSE(Order({above<plan::Limit>(input)}, 0).filter());
  Order order({}, 0);
  order.feed.source = projected(input, columns({0}));
  EXPECT_FALSE(order.filter());
}

TEST(TopKFilter, DropsWhatComesBehindTheRowsThatTheSinkHas) {
  Order order({}, 1);
  const auto keys = order.filter()->keys;
  EXPECT_TRUE(keys->may_meet(-5, -4));
  const auto state = order.sink.make_state();
  columns::Batch batch;
  batch.num_rows = 3;
  for (int i = 0; i < 3; ++i) batch.columns.push_back(columns::test::make_longs({1, 2, 3}));
  order.sink.consume(*state, batch);
  EXPECT_FALSE(keys->may_meet(-5, 1));
  EXPECT_TRUE(keys->may_meet(-5, 2));
  EXPECT_FALSE(keys->has_nulls());
}

}  // namespace
}  // namespace accelerant::planner
