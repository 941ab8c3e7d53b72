#include "runtime/query.h"

#include "base/error.h"
#include "runtime/test_queries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

namespace accelerant::runtime {
namespace {

using operators::OutputQueue;
using test::Numbers;
using test::read;

std::vector<int64_t> numbers(int64_t count) {
  std::vector<int64_t> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int64_t> sorted(std::vector<int64_t> rows) {
  std::ranges::sort(rows);
  return rows;
}

/// Returns the rows of all streams, one after the other.
std::vector<int64_t> read_all(Query& query, int count) {
  std::vector<int64_t> rows;
  for (int i = 0; i < count; ++i) {
    const std::vector<int64_t> part = read(query, i, count);
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

/// Returns how many rows a node of a message has emitted.
int64_t rows_of(const Query& query, int plan_node) {
  return query.nodes().read()[static_cast<size_t>(plan_node) * NodeContexts::kCountersPerNode];
}

TEST(Query, GivesAllRowsInOrderToOneStream) {
  const auto query = test::open(Numbers(100'000).all());
  EXPECT_EQ(read(*query, 0, 1), numbers(100'000));
}

TEST(Query, GivesOneStreamToWhoWantsTheFirstRows) {
  const auto query = test::open(Numbers(100'000).first(5));
  EXPECT_EQ(query->partitions(8), 1);
  EXPECT_EQ(read(*query, 0, 1), numbers(5));
}

TEST(Query, SharesWhatComesBeforeABreakerAmongStreams) {
  Numbers plan(50'000);
  const auto query = test::open(plan.grouped());
  EXPECT_EQ(query->partitions(3), 3);
  EXPECT_EQ(sorted(read_all(*query, 3)), numbers(50'000));
  EXPECT_EQ(rows_of(*query, plan.range), 50'000);
}

TEST(Query, ComputesAgainWhatAStreamTookBefore) {
  Numbers plan(1000);
  const auto query = test::open(plan.grouped());
  for (int time = 1; time <= 2; ++time) {
    EXPECT_EQ(sorted(read_all(*query, 2)), numbers(1000));
    EXPECT_EQ(rows_of(*query, plan.range), 1000 * time);
  }
}

TEST(Query, GivesTheSameRowsThoughEveryStepAndStartWaitsForMemory) {
  RunOptions options;
  options.interruptions = 7;
  Numbers plan(1000);
  EXPECT_EQ(sorted(read_all(*test::open(plan.grouped(), options), 2)), numbers(1000));
  EXPECT_EQ(read(*test::open(Numbers(1000).all(), options), 0, 1), numbers(1000));
  const auto failing = test::open(Numbers(1000).failing_groups(), options);
  EXPECT_THROW(read(*failing, 0, 1), Error);
}

TEST(Query, KeepsWhatWasPreparedForStreamsThatComeAgain) {
  Numbers plan(1000);
  const auto query = test::open(plan.grouped());
  ASSERT_TRUE(query->prepare(2, test::kPatience));
  for (int time = 0; time < 2; ++time) EXPECT_EQ(sorted(read_all(*query, 2)), numbers(1000));
  EXPECT_EQ(rows_of(*query, plan.range), 1000);
  query->cancel();
  EXPECT_EQ(sorted(read_all(*query, 2)), numbers(1000));
  EXPECT_EQ(rows_of(*query, plan.range), 2000);
}

TEST(Query, AimsForNoMoreRowsInABatchThanTheStageSays) {
  RunOptions options;
  options.batch_rows = 100;
  const auto query = test::open(Numbers(10).all(), options);
  planner::Stage stage;
  EXPECT_EQ(query->batch_rows(stage), 100);
  stage.max_batch_rows = 7;
  EXPECT_EQ(query->batch_rows(stage), 7);
}

TEST(Query, RunsAgainFromOnePreparedPlan) {
  const auto prepared = PreparedQuery::make(Numbers(1000).grouped(), false);
  const auto first = Query::open(*prepared, {}, {});
  const auto second = Query::open(*prepared, {}, {});
  EXPECT_EQ(&first->physical_plan(), &second->physical_plan());
  EXPECT_EQ(sorted(read_all(*first, 1)), sorted(read_all(*second, 2)));
}

TEST(Query, FailsWithTheErrorOfItsFirstRow) {
  const auto query = test::open(Numbers(100'000).failing());
  const auto stream = query->open_stream(0, 1);
  try {
    read(*stream);
    FAIL() << "the second row overflows";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::User);
  }
}

TEST(Query, TellsWhoReadsThatItWasCancelled) {
  const auto query = test::open(Numbers(int64_t{1} << 50).all());
  const auto stream = query->open_stream(0, 1);
  columns::Batch batch;
  ASSERT_EQ(stream->next(batch, test::kPatience), OutputQueue::Pop::Batch);
  query->cancel();
  try {
    while (stream->next(batch, test::kPatience) == OutputQueue::Pop::Batch) {
    }
    FAIL() << "the rows go on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
  }
}

TEST(Query, CancelsStagesThatNobodyWaitsForAnyMore) {
  std::weak_ptr<Query> left;
  {
    const auto query = test::open(Numbers(int64_t{1} << 50).grouped());
    left = query;
    query->open_stream(0, 1)->close();
  }
  const auto end = std::chrono::steady_clock::now() + test::kPatience;
  while (!left.expired() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_TRUE(left.expired());
}

TEST(RunOptions, AreLinesOfNamesAndValues) {
  const RunOptions options =
      RunOptions::parse("threads=3\nbatch_rows=7\nmemory_limit_bytes=9\ndevice=emu\nstrict=true\n");
  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(options.batch_rows, 7);
  EXPECT_EQ(options.memory_limit_bytes, 9);
  EXPECT_EQ(options.device, execution::DeviceChoice::Emulator);
  EXPECT_TRUE(options.is_strict());
  EXPECT_FALSE(RunOptions::parse("strict=true\ndevice=auto").is_strict());
  for (const char* wrong : {"threads=-1", "threads=x", "device=tpu", "strict=yes", "speed=9", "threads",
                            "spill_encrypted=1", "spill_limit_bytes=x"}) {
    EXPECT_THROW(RunOptions::parse(wrong), Error) << wrong;
  }
}

TEST(RunOptions, SayWhereToSpill) {
  EXPECT_FALSE(RunOptions::parse("threads=3").has_spilling);
  const RunOptions options = RunOptions::parse("spill_folders=/a b,,/c\nspill_limit_bytes=7\nspill_encrypted=true");
  EXPECT_TRUE(options.has_spilling);
  EXPECT_EQ(options.spilling.folders, (std::vector<std::string>{"/a b", "/c"}));
  EXPECT_EQ(options.spilling.limit_bytes, 7);
  EXPECT_TRUE(options.spilling.encrypted);
  EXPECT_EQ(RunOptions::parse("spill_limit_bytes=0").spilling.limit_bytes, memory::Budget::kUnlimited);
}

}  // namespace
}  // namespace accelerant::runtime
