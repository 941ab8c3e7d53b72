#include "runtime/device_feeds.h"

#include "aggregates/registry.h"
#include "base/error.h"
#include "io/encoded_scan.h"
#include "plan/aggregate.h"
#include "plan/filter.h"
#include "plan/project.h"
#include "planner/device_stages.h"
#include "runtime/test_queries.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace accelerant::runtime {
namespace {

using codegen::RowStep;
using plan::SparkPlan;
using test::kLong;

constexpr int64_t kNumbers = 100;
constexpr int64_t kKept = 9;

/// Returns the bytes of a plan that doubles the last numbers.
std::vector<uint8_t> doubled_numbers() {
  SparkPlan plan;
  const int range = plan.builder.plan("RangeExec", {{"start", {int64_t{0}}},
                                                    {"end", {kNumbers}},
                                                    {"step", {int64_t{1}}},
                                                    {"numSlices", {int64_t{1}}},
                                                    {"output", SparkPlan::nodes({plan.attribute(test::kId)})}});
  const int id = plan.attribute(test::kId);
  const int condition = plan.compare("GreaterThanOrEqual", id, plan.literal(kLong, {kNumbers - kKept}));
  const int filtered = plan.filter(condition, range, {test::kId});
  const int doubled = plan.alias(plan.arithmetic("Add", id, id, kLong), test::kSum);
  return plan.builder.finish(plan.project({doubled}, filtered, {test::kSum}));
}

/// A scan for a device, of files that have no rows.
class EmptyScan final : public io::Scan, public io::EncodedScan {
 public:
  class Worker final : public io::EncodedScanWorker {
   public:
    bool next(device::EncodedBatch& out) override {
      out = {};
      return false;
    }
    void next_on_host(columns::Batch&) override { ADD_FAILURE() << "the host was to read"; }
    void go_back(int64_t) override { ADD_FAILURE() << "the host was to read again"; }
  };

  std::unique_ptr<io::ScanWorker> make_worker() override { return nullptr; }
  io::EncodedScan* encoded() override { return this; }
  std::unique_ptr<io::EncodedScanWorker> make_encoded_worker(memory::AllocateBuffer) override {
    return std::make_unique<Worker>();
  }
  int64_t num_morsels() const override { return 0; }
};

/// The first stage of a query over numbers, changed to one of which an emulated device runs something.
class DeviceFeedsTest : public testing::Test {
 protected:
  void open(const std::vector<uint8_t>& message, bool is_strict) {
    RunOptions options;
    options.device = execution::DeviceChoice::Emulator;
    options.strict = is_strict;
    query_ = test::open(message, options);
    stage_ = query_->physical_plan().stages.front();
  }
  /// The device runs the filter and the projection, and rows go on.
  void open_rows(bool is_strict = false) {
    open(doubled_numbers(), is_strict);
    const auto& filter = feed().transforms.at(0)->as<plan::Filter>();
    const auto& project = feed().transforms.at(1)->as<plan::Project>();
    planner::DeviceFeed planned{inputs(), 2, {kLong}};
    planned.steps.steps = {{RowStep::Kind::Filter, filter.program}, {RowStep::Kind::Project, project.program}};
    feed().device = std::make_shared<const planner::DeviceFeed>(std::move(planned));
    feed().device_nodes = {{0}, {1, 2}};
  }
  /// The device runs all of the stage: each number is a group.
  void open_groups(bool is_strict = false) {
    open(test::Numbers(kNumbers).grouped(), is_strict);
    operators::DeviceGrouping grouping{inputs(), 1, {{aggregates::call_of("count", {kLong}, kLong), {0}}}};
    grouping.steps.steps = {{RowStep::Kind::Project, stage_.breaker->as<plan::Aggregate>().input}};
    stage_.device_grouping = std::make_shared<const operators::DeviceGrouping>(std::move(grouping));
    feed().device_nodes = {{0}, {}};
  }
  static codegen::RowSteps inputs() {
    codegen::RowSteps steps;
    steps.inputs.push_back({kLong, false});
    return steps;
  }

  /// Has the query's device fail for good.
  void give_up() const {
    const planner::OpenedDevice device = query_->device();
    std::get<std::shared_ptr<codegen::Accelerator>>(device)->give_up("it fell off the bus");
  }

  planner::Feed& feed() { return stage_.feeds.front(); }
  StageRun run() const { return {*query_, stage_, results_, cancellation_}; }
  execution::Metrics* metrics_of(const plan::Node& node) const { return query_->context(node, cancellation_).metrics; }

  /// Has a device take in all numbers; returns the rows that it makes.
  static columns::Batch take_in_numbers(operators::DevicePipeline& device) {
    std::vector<std::optional<int64_t>> numbers;
    for (int64_t i = 0; i < kNumbers; ++i) numbers.emplace_back(i);
    device::EncodedBatch batch;
    batch.num_rows = kNumbers;
    batch.columns.push_back({kLong, columns::test::make_longs(numbers)});
    columns::Batch made;
    const auto worker = device.make_worker();
    EXPECT_EQ(device.take_in(*worker, batch, made).kind, operators::Intake::Kind::Taken);
    return made;
  }

  static void expect_failure(const std::function<void()>& work, const std::string& reason) {
    try {
      work();
      FAIL() << "it did not fail";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Resource);
      EXPECT_EQ(error.message(), "spark.accelerant.strict: no device runs it: " + reason);
    }
  }

  std::shared_ptr<Query> query_;
  planner::Stage stage_;
  const operators::StageResults results_{};
  const execution::Cancellation cancellation_{};
};

TEST_F(DeviceFeedsTest, MakesNothingThatThePlanDoesNotSay) {
  open(doubled_numbers(), true);
  EXPECT_FALSE(make_device_rows(run(), feed()));
  EXPECT_EQ(make_device_aggregation(run()), nullptr);
}

TEST_F(DeviceFeedsTest, CountsRowsAtTheNodesThatThePlanNames) {
  open_rows();
  const auto device = make_device_rows(run(), feed());
  ASSERT_TRUE(device);
  EXPECT_EQ(device->num_transforms, 2U);
  EXPECT_EQ(device->types, std::vector{kLong});
  const columns::Batch made = take_in_numbers(*device->pipeline);
  ASSERT_EQ(made.num_rows, kKept);
  const columns::ColumnPtr doubled = columns::flatten(made.columns.at(0), columns::test::unlimited());
  EXPECT_EQ(doubled->values<int64_t>()[0], 2 * (kNumbers - kKept));
  EXPECT_EQ(metrics_of(*feed().source)->device_rows, kNumbers);
  EXPECT_EQ(metrics_of(*feed().source)->output_rows, kNumbers);
  for (const plan::NodePtr& node : feed().transforms) EXPECT_EQ(metrics_of(*node)->output_rows, kKept);
}

TEST_F(DeviceFeedsTest, CountsNoRowsOfASourceThatIsReadAgain) {
  open_rows();
  feed().reads_again = true;
  const auto device = make_device_rows(run(), feed());
  ASSERT_TRUE(device);
  EXPECT_EQ(take_in_numbers(*device->pipeline).num_rows, kKept);
  EXPECT_EQ(metrics_of(*feed().source)->device_rows, 0);
  EXPECT_EQ(metrics_of(*feed().source)->output_rows, 0);
  EXPECT_EQ(query_->uncounted()->output_rows, kNumbers);
  for (const plan::NodePtr& node : feed().transforms) EXPECT_EQ(metrics_of(*node)->output_rows, kKept);
}

TEST_F(DeviceFeedsTest, StartsAFeedWithTheColumnsThatTheDeviceMakes) {
  open_rows();
  const auto device = make_device_rows(run(), feed());
  ASSERT_TRUE(device);
  const auto source = make_device_source(*device, std::make_unique<EmptyScan>(), {}, run().context(*feed().source));
  EXPECT_EQ(source->num_morsels(), 1);
  const auto state = source->make_state();
  columns::Batch batch;
  ASSERT_EQ(source->next(*state, batch).kind, operators::Step::Kind::HasOutput);
  EXPECT_EQ(batch.num_rows, 0);
  ASSERT_EQ(batch.columns.size(), 1U);
  EXPECT_EQ(batch.columns[0]->type(), kLong);
}

TEST_F(DeviceFeedsTest, GroupsAllOfAStage) {
  open_groups();
  const auto aggregation = make_device_aggregation(run());
  ASSERT_NE(aggregation, nullptr);
  const FeedDevice device = all_rows(*stage_.device_grouping, aggregation);
  EXPECT_EQ(device.pipeline, aggregation);
  EXPECT_FALSE(device.num_transforms);
  EXPECT_EQ(device.types, std::vector{kLong});
  take_in_numbers(*aggregation);
  EXPECT_TRUE(aggregation->complete().empty());
  int64_t num_rows = 0;
  for (const codegen::GroupPart& part : aggregation->take()) {
    num_rows += std::accumulate(part.num_rows.begin(), part.num_rows.end(), int64_t{0});
  }
  EXPECT_EQ(num_rows, kNumbers);
  EXPECT_EQ(metrics_of(*feed().source)->device_rows, kNumbers);
  EXPECT_EQ(metrics_of(*feed().source)->output_rows, kNumbers);
}

TEST_F(DeviceFeedsTest, LeavesToTheHostWhatADeviceWasToRunThatWasGivenUp) {
  open_rows();
  give_up();
  EXPECT_FALSE(make_device_rows(run(), feed()));
  open_groups();
  give_up();
  EXPECT_EQ(make_device_aggregation(run()), nullptr);
}

TEST_F(DeviceFeedsTest, FailsAStrictQueryWhoseDeviceWasGivenUp) {
  open_rows(true);
  EXPECT_TRUE(make_device_rows(run(), feed()));
  give_up();
  expect_failure([&] { make_device_rows(run(), feed()); }, "it was given up: it fell off the bus");
  open_groups(true);
  give_up();
  expect_failure([&] { make_device_aggregation(run()); }, "it was given up: it fell off the bus");
}

TEST_F(DeviceFeedsTest, FailsWhatNoDeviceRunsForTheReasonThatThePlanHas) {
  EXPECT_NO_THROW(check_refusal(stage_));
  stage_.refusal = "there is none here";
  expect_failure([&] { check_refusal(stage_); }, "there is none here");
}

}  // namespace
}  // namespace accelerant::runtime
