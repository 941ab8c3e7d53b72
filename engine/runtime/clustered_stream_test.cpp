#include "runtime/clustered_stream.h"

#include "base/error.h"
#include "operators/test_steps.h"
#include "runtime/test_islands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace accelerant::runtime {
namespace {

using operators::OutputQueue;
using plan::SparkPlan;
using std::chrono::milliseconds;
using test::Column;
using test::Rows;

/// Says where a row goes.
const Column kKey{"key", 1, test::kLong};
const Column kValue{"value", 2, test::kLong};

/// So many streams have the least memory each.
constexpr int kManyStreams = 1 << 20;

/// What files are written for.
enum class Place : uint8_t { Folders, SortedBuckets };

/// A write of an island, whose rows the tests give.
class ClusteredStreamTest : public testing::Test {
 protected:
  /// Starts the stream as one of several.
  void start(int count = 1, Place place = Place::Folders) {
    query_ = opened(place);
    ASSERT_TRUE(query_->plan().files.is_clustered());
    stream_ = query_->open_stream(0, 1);
    clustered_.emplace(*query_, stream_, count);
    rows_ = test::claim(*query_).rows;
  }
  void TearDown() override {
    if (stream_) stream_->close();
  }

  /// Hands rows over, some at a time.
  void put(const Rows& rows) {
    constexpr size_t kAtATime = 500;
    for (size_t first = 0; first < rows.size(); first += kAtATime) {
      test::put(*rows_, std::span(rows).subspan(first, std::min(kAtATime, rows.size() - first)));
    }
  }

  OutputQueue::Pop next(columns::Batch& batch, std::chrono::milliseconds timeout = test::kPatience) {
    return clustered_->next(batch, timeout);
  }

  Rows read() {
    return test::read_rows([&](columns::Batch& batch) { return next(batch); });
  }

  std::shared_ptr<operators::IslandRows> rows_;

 private:
  static std::shared_ptr<Query> opened(Place place) {
    const bool has_buckets = place == Place::SortedBuckets;
    SparkPlan plan;
    const auto chosen = [&](bool is_chosen, const Column& column) {
      return is_chosen ? SparkPlan::nodes({plan.attribute(column)}) : SparkPlan::nodes({});
    };
    const int island = test::add_island(plan, {kKey, kValue});
    const int root = plan.builder.plan(
        "datasources.WriteFilesExec",
        {{"child", {plan::NodeReference{island}}},
         {"fileFormat", {plan::Opaque{"org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat"}}},
         {"partitionColumns", chosen(!has_buckets, kKey)},
         {"bucketSpec", SparkPlan::nodes({})},
         {"bucketId", chosen(has_buckets, kKey)},
         {"bucketSort", chosen(has_buckets, kValue)},
         {"options", {plan::Map{}}},
         {"staticPartitions", {plan::Map{}}},
         {"output", SparkPlan::nodes({})}});
    RunOptions options;
    options.batch_rows = 100;
    return test::open_over_islands(plan.builder.finish(root), {{island, {}}}, options);
  }

  std::shared_ptr<Query> query_;
  std::shared_ptr<Stream> stream_;
  std::optional<ClusteredStream> clustered_;
};

constexpr int64_t kNumKeys = 5;

/// Returns rows of several keys in turns, whose values ascend.
Rows mixed_rows(int64_t count) {
  Rows rows;
  for (int64_t i = 0; i < count; ++i) rows.push_back({i * 7 % kNumKeys, i});
  return rows;
}

/// Returns the values of a key in the order in which they come.
std::vector<int64_t> values_of(const Rows& rows, int64_t key) {
  std::vector<int64_t> values;
  for (const auto& row : rows) {
    if (row[0] == key) values.push_back(row[1]);
  }
  return values;
}

/// Returns how many times rows of one key follow those of another.
int64_t num_runs(const Rows& rows) {
  int64_t runs = 0;
  for (size_t i = 0; i < rows.size(); ++i) runs += i == 0 || rows[i][0] != rows[i - 1][0];
  return runs;
}

/// Expects the same rows, those of a key in the same order.
void expect_same_in_each_folder(const Rows& read, const Rows& given) {
  EXPECT_EQ(read.size(), given.size());
  for (int64_t key = 0; key < kNumKeys; ++key) EXPECT_EQ(values_of(read, key), values_of(given, key)) << key;
}

TEST_F(ClusteredStreamTest, KeepsTheRowsOfAFolderTogetherAndInTheirOrder) {
  start();
  const Rows given = mixed_rows(20'000);
  put(given);
  rows_->finish();
  const Rows rows = read();
  EXPECT_EQ(num_runs(rows), kNumKeys);
  expect_same_in_each_folder(rows, given);
}

TEST_F(ClusteredStreamTest, GivesAllRowsInSmallerChunksWhereStreamsShareTheMemory) {
  start(kManyStreams);
  const Rows given = mixed_rows(20'000);
  put(given);
  rows_->finish();
  const Rows rows = read();
  EXPECT_GT(num_runs(rows), kNumKeys);
  EXPECT_LT(num_runs(rows), static_cast<int64_t>(given.size()) / 10);
  expect_same_in_each_folder(rows, given);
}

TEST_F(ClusteredStreamTest, SortsTheRowsOfABucket) {
  start(1, Place::SortedBuckets);
  put({{1, 5}, {0, 4}, {1, 3}, {0, 9}, {1, 4}, {0, 4}});
  rows_->finish();
  const Rows rows = read();
  EXPECT_EQ(num_runs(rows), 2);
  EXPECT_EQ(values_of(rows, 0), (std::vector<int64_t>{4, 4, 9}));
  EXPECT_EQ(values_of(rows, 1), (std::vector<int64_t>{3, 4, 5}));
}

TEST_F(ClusteredStreamTest, EndsAgainForWhoAsksAgain) {
  start();
  rows_->finish();
  EXPECT_TRUE(read().empty());
  columns::Batch batch;
  EXPECT_EQ(next(batch), OutputQueue::Pop::End);
}

TEST_F(ClusteredStreamTest, PassesTimeoutsOnAndLosesNothing) {
  start();
  const Rows given = mixed_rows(6000);
  columns::Batch batch;
  for (size_t first = 0; first < given.size(); first += 2000) {
    put({given.begin() + static_cast<std::ptrdiff_t>(first),
         given.begin() + static_cast<std::ptrdiff_t>(first) + 2000});
    for (int time = 0; time < 10; ++time) EXPECT_EQ(next(batch, milliseconds(2)), OutputQueue::Pop::TimedOut);
  }
  rows_->finish();
  const Rows rows = read();
  EXPECT_EQ(num_runs(rows), kNumKeys);
  expect_same_in_each_folder(rows, given);
}

TEST_F(ClusteredStreamTest, FailsWithWhatTheStreamFailsWith) {
  start();
  put(mixed_rows(1000));
  rows_->fail(std::make_exception_ptr(Error(ErrorKind::User, "a task has failed")));
  try {
    read();
    FAIL() << "the rows have come to their end";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::User);
    EXPECT_EQ(error.message(), "a task has failed");
  }
}

TEST_F(ClusteredStreamTest, LosesNothingWhereMemoryIsLacking) {
  start(kManyStreams);
  const Rows given = mixed_rows(10'000);
  put(given);
  rows_->finish();
  const Rows rows =
      test::read_rows([&](columns::Batch& batch) { return operators::test::insist([&] { return next(batch); }); });
  expect_same_in_each_folder(rows, given);
}

}  // namespace
}  // namespace accelerant::runtime
