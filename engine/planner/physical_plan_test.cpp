#include "planner/physical_plan.h"

#include "plan/limit.h"
#include "planner/device_placement.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

/// A table whose rows threads around the engine compute, or not.
class CountedTable final : public operators::Table {
 public:
  explicit CountedTable(bool is_computed_outside) : is_computed_outside_(is_computed_outside) {}

  int num_partitions() const override { return 1; }
  int64_t partition_bytes(int) const override { return 1; }
  int64_t num_rows() const override { return 1000; }
  bool is_computed_outside() const override { return is_computed_outside_; }
  std::unique_ptr<operators::Source> make_source(int, int, const execution::OperatorContext&) const override {
    return nullptr;
  }

 private:
  const bool is_computed_outside_;
};

/// Plans a limit, or none, above such a table; returns the first stage.
Stage first_stage(bool is_computed_outside, bool is_limited) {
  const auto scan = test::source();
  scan->plan_node = 0;
  const auto limit = test::above<plan::Limit>(scan);
  if (is_limited) limit->limit = 5;
  plan::BoundPlan bound;
  bound.root = limit;
  const Tables tables = {{0, std::make_shared<CountedTable>(is_computed_outside)}};
  DevicePlacement placement{PlacementOptions{}};
  return make_physical_plan(std::move(bound), &tables, placement).stages.front();
}

TEST(PhysicalPlan, TakesFewRowsAtATimeOnOneWorkerWhereTheyAreDearAndALimitEndsThem) {
  const Stage stage = first_stage(true, true);
  EXPECT_TRUE(stage.is_frugal);
  EXPECT_EQ(stage.max_batch_rows, 256);
  EXPECT_EQ(stage.max_workers, 1);
}

TEST(PhysicalPlan, BoundsNoOtherStage) {
  for (const auto& [is_computed_outside, is_limited] : {std::pair(false, true), std::pair(true, false)}) {
    const Stage stage = first_stage(is_computed_outside, is_limited);
    EXPECT_FALSE(stage.is_frugal);
    EXPECT_EQ(stage.max_batch_rows, std::numeric_limits<int64_t>::max());
    EXPECT_EQ(stage.max_workers, std::numeric_limits<int>::max());
  }
}

TEST(PhysicalPlan, SaysOfRequestsUpToHowManyRowsOfABuildSideTheyPay) {
  auto scan = test::file_scan();
  auto spec = std::make_shared<io::ScanSpec>(*scan->spec);
  spec->columns.front().partition_index = 0;
  scan->spec = std::move(spec);
  const std::vector<Stage> stages = cut_into_stages(test::join(scan, test::source()));
  const Feed& feed = stages.back().feeds.front();
  ASSERT_EQ(feed.key_requests.size(), 1U);
  EXPECT_EQ(feed.key_requests[0].max_build_rows, 4'194'304);
  ASSERT_EQ(feed.partition_requests.size(), 1U);
  EXPECT_EQ(feed.partition_requests[0].max_build_rows, 131'072);
}

}  // namespace
}  // namespace accelerant::planner
