#include "runtime/stage_pipeline.h"

#include "base/error.h"
#include "operators/limit.h"
#include "operators/test_breakers.h"
#include "runtime/shared_stages.h"
#include "runtime/test_islands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::runtime {
namespace {

using plan::NodeReference;
using plan::SparkPlan;
using test::Column;
using test::Numbers;

using Names = std::vector<std::string>;

const Column kOther{"other", 3, test::kLong, false};

/// A query over a union of islands, of which nobody computes rows.
struct UnionOfIslands {
  explicit UnionOfIslands(const std::vector<test::IslandSize>& sizes) {
    SparkPlan plan;
    std::vector<std::pair<int, test::IslandSize>> islands;
    for (const test::IslandSize& size : sizes) {
      sources.push_back(test::add_island(plan, {{"a", static_cast<int64_t>(10 + sources.size()), test::kLong}}));
      islands.emplace_back(sources.back(), size);
    }
    root = plan.builder.plan("UnionExec", {{"children", SparkPlan::nodes(sources)},
                                           {"output", SparkPlan::nodes({plan.attribute({"a", 1, test::kLong})})}});
    query = test::open_over_islands(plan.builder.finish(root), islands);
  }

  const planner::Stage& stage() const { return query->physical_plan().stages.back(); }

  /// Returns the parts of so many that each partition is in: of one source after the other.
  std::vector<std::vector<int>> parts_of_partitions(int count) const {
    std::vector<std::vector<int>> parts;
    for (const planner::Feed& feed : stage().feeds) {
      const size_t before = parts.size();
      parts.resize(before + static_cast<size_t>(query->table(*feed.source).num_partitions()));
      for (int index = 0; index < count; ++index) {
        const auto range = partitions_of_part(*query, stage(), {index, count}, feed.source->plan_node);
        for (int i = range->first; i < range->last; ++i) parts.at(before + static_cast<size_t>(i)).push_back(index);
      }
    }
    return parts;
  }
  /// Returns the one part that each partition is in.
  std::vector<int> part_of_partitions(int count) const {
    std::vector<int> parts;
    for (const std::vector<int>& found : parts_of_partitions(count)) {
      EXPECT_EQ(found.size(), 1U);
      parts.insert(parts.end(), found.begin(), found.end());
    }
    return parts;
  }
  std::vector<int64_t> bytes_of_partitions() const {
    std::vector<int64_t> bytes;
    for (const planner::Feed& feed : stage().feeds) {
      const operators::Table& table = query->table(*feed.source);
      for (int i = 0; i < table.num_partitions(); ++i) bytes.push_back(table.partition_bytes(i));
    }
    return bytes;
  }

  std::vector<int> sources;
  int root = 0;
  std::shared_ptr<Query> query;
};

TEST(PartitionsOfPart, AreContiguousAndInOnePartEach) {
  const UnionOfIslands islands({{3, 900}, {1, 5000}, {0, 0}, {4, 100}});
  for (int count = 1; count <= 12; ++count) {
    SCOPED_TRACE(count);
    const std::vector<int> parts = islands.part_of_partitions(count);
    EXPECT_EQ(parts.size(), 8U);
    EXPECT_TRUE(std::ranges::is_sorted(parts));
  }
}

TEST(PartitionsOfPart, HaveAboutEqualBytes) {
  const UnionOfIslands islands({{40, 4000}, {5, 10'000}, {100, 3000}});
  const std::vector<int64_t> bytes = islands.bytes_of_partitions();
  const int64_t total = std::accumulate(bytes.begin(), bytes.end(), int64_t{0});
  const int64_t largest = std::ranges::max(bytes);
  for (int count = 1; count <= 6; ++count) {
    SCOPED_TRACE(count);
    const std::vector<int> parts = islands.part_of_partitions(count);
    std::vector<int64_t> shares(static_cast<size_t>(count));
    for (size_t i = 0; i < parts.size(); ++i) shares.at(static_cast<size_t>(parts[i])) += bytes[i];
    for (const int64_t share : shares) EXPECT_LE(std::abs(share - total / count), largest);
  }
}

TEST(PartitionsOfPart, AreOneEachOfAsManyParts) {
  const UnionOfIslands islands({{3, 9'000'000}, {4, 1}});
  EXPECT_EQ(islands.part_of_partitions(7), (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(PartitionsOfPart, AreNoneOfWhatTheStageDoesNotRead) {
  const UnionOfIslands islands({{3, 9}, {4, 1}});
  EXPECT_TRUE(partitions_of_part(*islands.query, islands.stage(), {}, islands.sources[1]));
  EXPECT_FALSE(partitions_of_part(*islands.query, islands.stage(), {}, islands.root));
  planner::Stage stage = islands.stage();
  stage.feeds.pop_back();
  EXPECT_TRUE(partitions_of_part(*islands.query, stage, {}, islands.sources[0]));
  EXPECT_FALSE(partitions_of_part(*islands.query, stage, {}, islands.sources[1]));
}

TEST(PartitionsOfPart, HaveAboutEqualBytesOfAsManyAsThereCanBe) {
  const Numbers plan(std::numeric_limits<int64_t>::max());
  const auto query = test::open(plan.all());
  const planner::Stage& stage = query->physical_plan().stages.back();
  const int num_partitions = query->table(*stage.feeds.front().source).num_partitions();
  int end = 0;
  for (int index = 0; index < 100; ++index) {
    const auto range = partitions_of_part(*query, stage, {index, 100}, plan.range);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->first, end);
    EXPECT_LE(std::abs(range->last - range->first - num_partitions / 100), 1);
    end = range->last;
  }
  EXPECT_EQ(end, num_partitions);
}

/// Returns the bytes of a plan of two feeds: numbers, of which some are chosen, and others.
std::vector<uint8_t> two_feeds() {
  SparkPlan plan;
  const auto range = [&](const Column& column, int64_t end) {
    return plan.builder.plan("RangeExec", {{"start", {int64_t{0}}},
                                           {"end", {end}},
                                           {"step", {int64_t{1}}},
                                           {"numSlices", {int64_t{1}}},
                                           {"output", SparkPlan::nodes({plan.attribute(column)})}});
  };
  const int id = plan.attribute(test::kId);
  const int condition = plan.compare("GreaterThan", id, plan.literal(test::kLong, {int64_t{90}}));
  const int filtered = plan.filter(condition, range(test::kId, 100), {test::kId});
  const int doubled = plan.alias(plan.arithmetic("Add", id, id, test::kLong), test::kSum);
  const int projected = plan.project({doubled}, filtered, {test::kSum});
  return plan.builder.finish(
      plan.builder.plan("UnionExec", {{"children", SparkPlan::nodes({projected, range(kOther, 50)})},
                                      {"output", SparkPlan::nodes({plan.attribute({"all", 4, test::kLong})})}}));
}

/// Makes pipelines of stages of a query.
class StagePipelineTest : public testing::Test {
 protected:
  void open(const std::vector<uint8_t>& message, const RunOptions& options = {}) {
    query_ = test::open(message, options);
  }
  const planner::Stage& stage(size_t index = 0) const { return query_->physical_plan().stages.at(index); }

  StageRun run_of(const planner::Stage& stage, StagePart part = {}) const {
    return {*query_, stage, results_, cancellation_, part};
  }
  Pipeline made(const planner::Stage& stage, StagePart part = {}) {
    return make_pipeline(run_of(stage, part), sink_, &sink_metrics_);
  }
  execution::Metrics* metrics_of(const plan::Node& node) const { return query_->context(node, cancellation_).metrics; }

  /// Makes what the last stage reads.
  void make_results() {
    shared_ = std::make_shared<SharedStages>(query_);
    shared_->start();
    ASSERT_TRUE(shared_->wait(test::kPatience));
    results_ = shared_->results();
  }

  static Names names_of(const PipelineFeed& feed) {
    Names names;
    for (const auto& [transform, metrics] : feed.transforms) names.emplace_back(transform->name());
    return names;
  }
  /// Returns the first column of what a source gives.
  static std::vector<int64_t> rows_of(operators::Source& source) {
    std::vector<int64_t> rows;
    const auto state = source.make_state();
    columns::Batch batch;
    while (source.next(*state, batch).kind == operators::Step::Kind::HasOutput) {
      const columns::ColumnPtr column = columns::flatten(batch.columns[0], columns::test::unlimited());
      rows.insert(rows.end(), column->values<int64_t>(), column->values<int64_t>() + batch.num_rows);
    }
    return rows;
  }
  /// Returns the rows that come of so many parts of a stage, which has one feed.
  std::vector<int64_t> rows_of_parts(const planner::Stage& stage, int count) {
    std::vector<int64_t> rows;
    for (int index = 0; index < count; ++index) {
      const Pipeline pipeline = made(stage, {index, count});
      const std::vector<int64_t> part = rows_of(*pipeline.feeds.front().source);
      EXPECT_LT(part.size(), 1000U);
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }
  static std::vector<int64_t> first_numbers(int64_t count) {
    std::vector<int64_t> numbers(static_cast<size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }

  std::shared_ptr<Query> query_;
  operators::StageResults results_;
  std::shared_ptr<SharedStages> shared_;
  const execution::Cancellation cancellation_{};
  execution::Metrics sink_metrics_;
  const execution::OperatorContext sink_ctx_{columns::test::unlimited(), &cancellation_, &sink_metrics_, 0, 16};
  const std::shared_ptr<operators::Sink> sink_ =
      std::make_shared<operators::LimitSink>(1, 0, sink_ctx_, operators::test::spill_target(sink_ctx_));
};

TEST_F(StagePipelineTest, HasTheFeedsAndTransformsOfTheStage) {
  open(two_feeds());
  const Pipeline pipeline = made(stage());
  ASSERT_EQ(stage().feeds.size(), 2U);
  ASSERT_EQ(pipeline.feeds.size(), 2U);
  ASSERT_EQ(names_of(pipeline.feeds[0]), (Names{"Filter", "Project"}));
  ASSERT_EQ(names_of(pipeline.feeds[1]), Names{});
  for (size_t i = 0; i < 2; ++i) {
    const planner::Feed& feed = stage().feeds[i];
    EXPECT_EQ(pipeline.feeds[i].source_metrics, metrics_of(*feed.source));
    EXPECT_TRUE(pipeline.feeds[i].counts_source_rows);
    EXPECT_FALSE(pipeline.feeds[i].after_others);
    for (size_t j = 0; j < feed.transforms.size(); ++j) {
      EXPECT_EQ(pipeline.feeds[i].transforms[j].metrics, metrics_of(*feed.transforms[j]));
    }
  }
  EXPECT_EQ(rows_of(*pipeline.feeds[0].source), first_numbers(100));
  EXPECT_EQ(rows_of(*pipeline.feeds[1].source), first_numbers(50));
}

TEST_F(StagePipelineTest, EndsInTheSinkThatIsGiven) {
  RunOptions options;
  options.interruptions = 7;
  open(Numbers(10).all(), options);
  const Pipeline pipeline = made(stage());
  EXPECT_EQ(pipeline.sink, sink_);
  EXPECT_EQ(pipeline.sink_metrics, &sink_metrics_);
  EXPECT_EQ(pipeline.interruptions, 7U);
}

TEST_F(StagePipelineTest, CountsTheRowsOfAnAggregateBehindItsResult) {
  open(Numbers(1000).grouped());
  ASSERT_NO_FATAL_FAILURE(make_results());
  const Pipeline pipeline = made(stage(1));
  ASSERT_EQ(pipeline.feeds.size(), 1U);
  const PipelineFeed& feed = pipeline.feeds.front();
  ASSERT_EQ(names_of(feed), Names{"Project"});
  EXPECT_FALSE(feed.counts_source_rows);
  EXPECT_EQ(feed.source_metrics, metrics_of(*stage(0).breaker));
  EXPECT_EQ(feed.transforms.front().metrics, feed.source_metrics);
}

TEST_F(StagePipelineTest, CarriesItsPartOfATable) {
  open(Numbers(1000).all());
  EXPECT_EQ(rows_of_parts(stage(), 3), first_numbers(1000));
}

TEST_F(StagePipelineTest, CarriesItsPartOfWhatAnEarlierStageMade) {
  open(Numbers(1000).grouped());
  ASSERT_NO_FATAL_FAILURE(make_results());
  std::vector<int64_t> keys = rows_of_parts(stage(1), 3);
  std::ranges::sort(keys);
  EXPECT_EQ(keys, first_numbers(1000));
}

TEST_F(StagePipelineTest, StartsFeedsWhenTheStageSays) {
  open(two_feeds());
  planner::Stage changed = stage();
  changed.feeds[1].after_others = true;
  const Pipeline pipeline = made(changed);
  EXPECT_FALSE(pipeline.feeds[0].after_others);
  EXPECT_TRUE(pipeline.feeds[1].after_others);
}

TEST_F(StagePipelineTest, CountsNoRowsThatAreReadAgain) {
  open(two_feeds());
  planner::Stage changed = stage();
  changed.feeds[0].reads_again = true;
  const Pipeline pipeline = made(changed);
  EXPECT_EQ(pipeline.feeds[0].source_metrics, query_->uncounted());
  EXPECT_EQ(pipeline.feeds[1].source_metrics, metrics_of(*changed.feeds[1].source));
}

TEST_F(StagePipelineTest, AimsForBatchesOfTheStagesSize) {
  open(Numbers(1000).all());
  planner::Stage changed = stage();
  changed.max_batch_rows = 7;
  const Pipeline pipeline = made(changed);
  const auto state = pipeline.feeds.front().source->make_state();
  columns::Batch batch;
  ASSERT_EQ(pipeline.feeds.front().source->next(*state, batch).kind, operators::Step::Kind::HasOutput);
  EXPECT_EQ(batch.num_rows, 7);
}

TEST_F(StagePipelineTest, IsNotMadeOfAStageThatADeviceWasToRun) {
  open(Numbers(10).all());
  planner::Stage refused = stage();
  refused.refusal = "there is none here";
  try {
    made(refused);
    FAIL() << "a pipeline was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Resource);
    EXPECT_NE(error.message().find("there is none here"), std::string::npos) << error.message();
  }
}

TEST_F(StagePipelineTest, GivesOperatorsWhatTheQueryHasForTheirNodes) {
  open(Numbers(10).all());
  results_.parameters = std::make_shared<execution::Parameters>();
  const plan::Node& source = *stage().feeds.front().source;
  const execution::OperatorContext ctx = run_of(stage()).context(source);
  EXPECT_EQ(ctx.metrics, metrics_of(source));
  EXPECT_EQ(ctx.cancellation, &cancellation_);
  EXPECT_EQ(ctx.parameters, results_.parameters);
  EXPECT_EQ(ctx.plan_node, source.plan_node);
}

}  // namespace
}  // namespace accelerant::runtime
