#include "runtime/feed_filters.h"

#include "operators/join_build.h"
#include "operators/limit.h"
#include "operators/test_breakers.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::runtime {
namespace {

/// A join whose build side holds three rows, and a feed that it asks to leave out rows and files.
class FeedFiltersTest : public testing::Test {
 protected:
  FeedFiltersTest() {
    operators::JoinBuild build(join_, ctx_, operators::test::spill_target(ctx_));
    operators::test::run(build, {operators::test::batch_of(0, columns::test::make_longs({1, 2, 3}), 0)}, 1);
    build.hand_on(*join_, results_);
    feed_.source = join_->probe_input();
    feed_.key_requests = {{join_.get(), 0, 0}};
    feed_.partition_requests = {{join_.get(), 0, planner::test::columns({0})}};
  }

  execution::OperatorContext filtered() const {
    operators::LimitSink sink(1, 0, ctx_, operators::test::spill_target(ctx_));
    execution::OperatorContext ctx = ctx_;
    add_filters(feed_, results_, sink, ctx);
    return ctx;
  }

  static std::shared_ptr<plan::Join> join_of_scans() {
    auto build = planner::test::source();
    build->output.resize(2);
    return planner::test::join(planner::test::source(), build);
  }

  const std::shared_ptr<plan::Join> join_ = join_of_scans();
  const execution::Cancellation cancellation_{};
  execution::Metrics metrics_;
  const execution::OperatorContext ctx_{columns::test::unlimited(), &cancellation_, &metrics_, 0, 16};
  operators::StageResults results_;
  planner::Feed feed_;
};

TEST_F(FeedFiltersTest, TurnRequestsIntoFilters) {
  const execution::OperatorContext ctx = filtered();
  ASSERT_EQ(ctx.key_filters.size(), 1U);
  EXPECT_TRUE(ctx.key_filters[0].keys->may_meet(3, 3));
  EXPECT_FALSE(ctx.key_filters[0].keys->may_meet(4, 9));
  EXPECT_EQ(ctx.runtime_filters.size(), 1U);
}

TEST_F(FeedFiltersTest, WaitForMemory) {
  const execution::OperatorContext ctx = operators::test::insist([&] { return filtered(); });
  ASSERT_EQ(ctx.key_filters.size(), 1U);
  EXPECT_FALSE(ctx.key_filters[0].keys->may_meet(4, 9));
  EXPECT_EQ(ctx.runtime_filters.size(), 1U);
}

TEST_F(FeedFiltersTest, AskNothingOnBehalfOfBuildSidesOfMoreRowsThanThePlanSays) {
  for (const int64_t max_build_rows : {2, 3}) {
    feed_.key_requests[0].max_build_rows = feed_.partition_requests[0].max_build_rows = max_build_rows;
    const execution::OperatorContext ctx = filtered();
    EXPECT_EQ(ctx.key_filters.size(), max_build_rows == 3 ? 1U : 0U);
    EXPECT_EQ(ctx.runtime_filters.size(), max_build_rows == 3 ? 1U : 0U);
  }
}

TEST_F(FeedFiltersTest, AskForKeysOnDiskToo) {
  const auto target = operators::test::spill_target(ctx_);
  const auto rows = std::make_shared<operators::SpilledJoinRows>(join_, operators::JoinSide::Build);
  columns::Batch batch = operators::test::batch_of(0, columns::test::make_longs({1, 2, 3}), 0);
  expressions::Evaluator keys(join_->build_keys(), ctx_.budget, ctx_.plan_node, ctx_.parameters);
  std::vector<operators::HashedRows> written(1);
  written[0].rows = operators::make_chunk(*join_, batch, &keys, ctx_.budget);
  std::unique_ptr<spill::BlockWriter> writer;
  rows->write(written, *target, writer, ctx_, 2);
  auto table = std::make_unique<operators::JoinTable>(std::vector<operators::JoinTable::Chunk>(), false,
                                                      operators::JoinTable::ChainOrder::LastRowFirst, 1, ctx_);
  const auto spilled = std::make_shared<operators::SpilledBuild>(join_, rows, target);
  results_.built_sides[join_.get()] =
      std::make_shared<operators::BuiltSide>(join_, std::move(table), true, false, ctx_, spilled);
  const execution::OperatorContext ctx = filtered();
  ASSERT_EQ(ctx.key_filters.size(), 1U);
  EXPECT_TRUE(ctx.key_filters[0].keys->may_meet(3, 3));
  EXPECT_FALSE(ctx.key_filters[0].keys->may_meet(4, 9));
  std::vector<int32_t> members = {0, 1, 2};
  ctx.key_filters[0].keys->keep_members(*columns::test::make_longs({0, 2, 3}), members);
  EXPECT_EQ(members, (std::vector<int32_t>{1, 2}));
  EXPECT_TRUE(ctx.runtime_filters.empty());
  // Of more rows than the plan says nothing is read.
  feed_.key_requests[0].max_build_rows = 2;
  EXPECT_TRUE(filtered().key_filters.empty());
}

}  // namespace
}  // namespace accelerant::runtime
