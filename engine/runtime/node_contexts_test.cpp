#include "runtime/node_contexts.h"

#include "columns/test_columns.h"
#include "plan/limit.h"
#include "planner/physical_plan.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::runtime {
namespace {

constexpr auto kLongestStep = static_cast<size_t>(NodeContexts::kCountersPerNode - 1);

/// A limit over a scan, both of which stand for node 1 of the message.
class NodeContextsTest : public testing::Test {
 protected:
  NodeContextsTest() {
    scan_->plan_node = 1;
    limit_->plan_node = 1;
  }

  execution::Metrics& metrics_of(const plan::Node& node) { return *contexts_.context(node, cancellation_, 10).metrics; }
  int64_t counter(size_t place) const {
    return contexts_.read()[static_cast<size_t>(NodeContexts::kCountersPerNode) + place];
  }

  const std::shared_ptr<plan::Scan> scan_ = planner::test::source();
  const std::shared_ptr<plan::Limit> limit_ = planner::test::above<plan::Limit>(scan_);
  const execution::Cancellation cancellation_{};
  const NodeContexts contexts_{{limit_}, columns::test::unlimited()};
};

TEST_F(NodeContextsTest, ShowRowsOfTheTopmostNodeAndTheTimeOfAll) {
  metrics_of(*scan_).count_output(100);
  metrics_of(*limit_).count_output(7);
  metrics_of(*scan_).cpu_nanos = 30;
  metrics_of(*limit_).cpu_nanos = 4;
  EXPECT_EQ(contexts_.read().size(), 2 * NodeContexts::kCountersPerNode);
  EXPECT_EQ(counter(0), 7);
  EXPECT_EQ(counter(1), 1);
  EXPECT_EQ(counter(3), 34);
}

TEST_F(NodeContextsTest, ShowTheLongestStretchOfAll) {
  metrics_of(*limit_).count_stretch(20);
  EXPECT_EQ(counter(kLongestStep), 20);
  metrics_of(*scan_).count_stretch(50);
  metrics_of(*scan_).count_stretch(30);
  EXPECT_EQ(counter(kLongestStep), 50);
}

TEST_F(NodeContextsTest, ShowWhatWasSpilled) {
  contexts_.spill_target(*limit_)->written_bytes = 70;
  EXPECT_EQ(counter(5), 70);
}

TEST_F(NodeContextsTest, HaveZeroesForNodesThatAreNotTheirs) {
  metrics_of(*scan_).count_stretch(50);
  const std::vector<int64_t> counters = contexts_.read();
  for (size_t i = 0; i <= kLongestStep; ++i) EXPECT_EQ(counters[i], 0);
}

/// A table of three morsels.
class ThreeMorsels final : public operators::Table {
 public:
  int num_partitions() const override { return 1; }
  int64_t partition_bytes(int) const override { return 1; }
  int64_t num_rows() const override { return 3; }
  int64_t num_morsels() const override { return 3; }
  std::unique_ptr<operators::Source> make_source(int, int, const execution::OperatorContext&) const override {
    return nullptr;
  }
};

TEST(NodeContexts, CountMorselsBelowASharedNodeOnce) {
  constexpr size_t kMorsels = 9;
  const auto scan = planner::test::source();
  scan->plan_node = 2;
  const auto limit = planner::test::above<plan::Limit>(scan);
  limit->plan_node = 1;
  const auto root = planner::test::join(limit, limit);
  root->plan_node = 0;
  NodeContexts contexts({root}, columns::test::unlimited());
  planner::PhysicalPlan plan;
  for (const plan::Node* node : std::initializer_list<const plan::Node*>{root.get(), limit.get(), scan.get()}) {
    plan.estimated_rows[node] = 1;
  }
  contexts.look_ahead(plan, {{2, std::make_shared<ThreeMorsels>()}});
  EXPECT_EQ(contexts.read()[2 * NodeContexts::kCountersPerNode + kMorsels], 3);
}

}  // namespace
}  // namespace accelerant::runtime
