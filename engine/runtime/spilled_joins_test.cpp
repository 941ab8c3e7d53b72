#include "runtime/test_queries.h"
#include "spill/spill_folders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace accelerant::runtime {
namespace {

using plan::NodeReference;
using plan::SparkPlan;
using Column = SparkPlan::Column;

/// Plans of joins of ranges of numbers.
class JoinPlan {
 public:
  /// A column of the numbers [start, end), by which they are joined.
  struct Side {
    int node;
    std::vector<Column> columns;
  };

  Side range(int64_t start, int64_t end) {
    const Column column{"id", ++last_id_, test::kLong, false};
    const int node = plan_.builder.plan("RangeExec", {{"start", {start}},
                                                      {"end", {end}},
                                                      {"step", {int64_t{1}}},
                                                      {"numSlices", {int64_t{1}}},
                                                      {"output", SparkPlan::nodes({plan_.attribute(column)})}});
    return {node, {column}};
  }

  /// Joins by the first column of the left side, and builds the right one.
  Side join(std::string_view type, const Side& left, const Side& right) {
    const auto keys = [&](const Side& side) { return SparkPlan::nodes({plan_.attribute(side.columns.front())}); };
    const auto enumerator = [](std::string_view name) { return SparkPlan::product(name); };
    Side joined{0, left.columns};
    joined.columns.insert(joined.columns.end(), right.columns.begin(), right.columns.end());
    std::vector<int> output;
    for (const Column& column : joined.columns) output.push_back(plan_.attribute(column));
    joined.node = plan_.builder.plan("joins.ShuffledHashJoinExec", {{"leftKeys", keys(left)},
                                                                    {"rightKeys", keys(right)},
                                                                    {"joinType", enumerator(type)},
                                                                    {"buildSide", enumerator("BuildRight")},
                                                                    {"condition", SparkPlan::nodes({})},
                                                                    {"left", {NodeReference{left.node}}},
                                                                    {"right", {NodeReference{right.node}}},
                                                                    {"isSkewJoin", {false}},
                                                                    {"output", SparkPlan::nodes(output)}});
    return joined;
  }

  Side both(const Side& first, const Side& second) {
    Side all{0, {}};
    std::vector<int> output;
    for (const Column& column : first.columns) {
      all.columns.push_back({column.name, ++last_id_, column.type, true});
      output.push_back(plan_.attribute(all.columns.back()));
    }
    all.node = plan_.builder.plan(
        "UnionExec", {{"children", SparkPlan::nodes({first.node, second.node})}, {"output", SparkPlan::nodes(output)}});
    return all;
  }

  std::vector<uint8_t> finish(const Side& side) { return plan_.builder.finish(side.node); }

 private:
  SparkPlan plan_;
  int64_t last_id_ = 0;
};

/// Returns all rows of all streams, sorted.
std::vector<std::string> rows_of(Query& query, int count) {
  std::vector<std::string> rows;
  for (int i = 0; i < count; ++i) {
    const auto stream = query.open_stream(i, count);
    columns::Batch batch;
    while (stream->next(batch, test::kPatience) == operators::OutputQueue::Pop::Batch) {
      std::vector<std::string> texts(static_cast<size_t>(batch.num_rows));
      for (const auto& column : batch.columns) {
        const std::vector<std::string> shown = columns::test::show(*column);
        for (size_t row = 0; row < texts.size(); ++row) texts[row] += shown[row] + " ";
      }
      rows.insert(rows.end(), texts.begin(), texts.end());
    }
    stream->close();
  }
  std::ranges::sort(rows);
  return rows;
}

/// Place of a node's spilled bytes among its counters.
constexpr size_t kSpilledBytes = 5;

int64_t spilled_bytes(const Query& query) {
  int64_t bytes = 0;
  const std::vector<int64_t> counters = query.nodes().read();
  for (size_t i = kSpilledBytes; i < counters.size(); i += NodeContexts::kCountersPerNode) {
    bytes += counters[i];
  }
  return bytes;
}

/// Says whether all files are gone within a while: a worker lets go of what it shared after who reads has its rows.
bool has_no_files_soon() {
  const auto deadline = std::chrono::steady_clock::now() + test::kPatience;
  while (spill::process_folders().used_bytes() > 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return spill::process_folders().used_bytes() == 0;
}

void expect_same_spilled(const std::vector<uint8_t>& message, int num_streams, uint64_t interruptions = 0) {
  const auto in_memory = test::open(message);
  const std::vector<std::string> expected = rows_of(*in_memory, 1);
  EXPECT_EQ(spilled_bytes(*in_memory), 0);
  RunOptions options;
  options.memory_limit_bytes = 6 << 20;
  options.interruptions = interruptions;
  const auto spilling = test::open(message, options);
  num_streams = std::min(num_streams, spilling->partitions(num_streams));
  for (int time = 0; time < 2; ++time) {
    const std::vector<std::string> rows = rows_of(*spilling, num_streams);
    EXPECT_TRUE(rows == expected) << rows.size() << " rows, not " << expected.size();
  }
  EXPECT_GT(spilled_bytes(*spilling), 0);
  EXPECT_TRUE(has_no_files_soon());
}

TEST(SpilledJoins, GiveTheSameRows) {
  for (const char* type : {"Inner", "LeftOuter", "FullOuter"}) {
    JoinPlan plan;
    const auto message = plan.finish(plan.join(type, plan.range(0, 150'000), plan.range(50'000, 250'000)));
    for (const int num_streams : {1, 3}) expect_same_spilled(message, num_streams);
  }
}

TEST(SpilledJoins, StandOneAboveTheOther) {
  for (const char* lower : {"Inner", "LeftOuter", "FullOuter"}) {
    for (const char* upper : {"Inner", "LeftOuter", "FullOuter"}) {
      SCOPED_TRACE(std::string(lower) + " below " + upper);
      JoinPlan plan;
      const auto joined = plan.join(lower, plan.range(0, 120'000), plan.range(60'000, 200'000));
      expect_same_spilled(plan.finish(plan.join(upper, joined, plan.range(90'000, 250'000))), 2);
    }
  }
}

TEST(SpilledJoins, StandAboveAUnionOfOthers) {
  JoinPlan plan;
  const auto first = plan.join("LeftOuter", plan.range(0, 120'000), plan.range(60'000, 200'000));
  const auto second = plan.join("FullOuter", plan.range(50'000, 170'000), plan.range(100'000, 250'000));
  const auto joined = plan.join("FullOuter", plan.both(first, second), plan.range(90'000, 250'000));
  expect_same_spilled(plan.finish(joined), 1);
}

TEST(SpilledJoins, GiveTheSameRowsThoughStepsWaitForMemory) {
  JoinPlan plan;
  const auto joined = plan.join("FullOuter", plan.range(0, 120'000), plan.range(60'000, 200'000));
  expect_same_spilled(plan.finish(plan.join("LeftOuter", joined, plan.range(90'000, 250'000))), 1, 7);
}

}  // namespace
}  // namespace accelerant::runtime
