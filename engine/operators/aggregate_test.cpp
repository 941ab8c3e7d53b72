#include "operators/aggregate.h"

#include "columns/test_columns.h"
#include "operators/group_order.h"
#include "operators/test_breakers.h"
#include "plan/spark_hash.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <thread>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::unlimited;
using types::DataType;
using types::PhysicalType;
using types::TypeId;
using Kind = Step::Kind;

const DataType kLong(TypeId::Long);

/// Keys and the counts and sums of their values.
using Groups = std::map<int64_t, std::pair<int64_t, int64_t>>;

/// Sums and counts of column 1 by column 0.
std::shared_ptr<plan::Aggregate> sums() {
  auto node = std::make_shared<plan::Aggregate>();
  expressions::ProgramBuilder builder;
  const expressions::Slot slots[] = {builder.input(0, kLong, true), builder.input(1, kLong, true)};
  node->input = std::move(builder).finish(slots);
  node->keys = {{"key", kLong}};
  node->calls = {plan::aggregate_call("count", {1}, {kLong}, kLong), plan::aggregate_call("sum", {1}, {kLong}, kLong)};
  return node;
}

Batch batch_of(const std::vector<int64_t>& keys, int64_t place) {
  columns::FlatBuilder builder(kLong, PhysicalType::Int64, static_cast<int64_t>(keys.size()), unlimited());
  std::copy(keys.begin(), keys.end(), builder.values<int64_t>());
  Batch batch;
  batch.num_rows = static_cast<int64_t>(keys.size());
  batch.columns = {builder.finish(), nullptr};
  batch.columns[1] = batch.columns[0];
  batch.morsel = place;
  return batch;
}

/// Aggregates rows, each worker in a thread of its own with every so manyth batch of 10,000.
std::unique_ptr<AggregateSink> aggregate(const std::vector<int64_t>& keys, int num_workers,
                                         const execution::OperatorContext& ctx) {
  constexpr size_t kBatchRows = 10'000;
  auto sink = std::make_unique<AggregateSink>(sums(), ctx, test::spill_target(ctx));
  {
    std::vector<std::jthread> workers;
    for (int worker = 0; worker < num_workers; ++worker) {
      workers.emplace_back([&, worker] {
        const auto state = sink->make_state();
        for (size_t first = static_cast<size_t>(worker) * kBatchRows; first < keys.size();
             first += static_cast<size_t>(num_workers) * kBatchRows) {
          const size_t last = std::min(keys.size(), first + kBatchRows);
          Batch batch = batch_of(
              {keys.begin() + static_cast<std::ptrdiff_t>(first), keys.begin() + static_cast<std::ptrdiff_t>(last)},
              static_cast<int64_t>(first));
          test::insist([&] { return sink->consume(*state, batch); });
        }
        test::insist([&] { return sink->combine(*state); });
      });
    }
  }
  test::insist([&] { return sink->finish(); });
  return sink;
}

/// Reads the groups of one of several streams.
void read(AggregateSink& sink, int index, int count, Groups& groups) {
  const auto source = test::handed_on(sink)->make_source(index, count);
  const auto state = source->make_state();
  Batch batch;
  while (test::insist([&] { return source->next(*state, batch); }).kind == Kind::HasOutput) {
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      const auto key = batch.columns[0]->values<int64_t>()[row];
      const bool is_new =
          groups.try_emplace(key, batch.columns[1]->values<int64_t>()[row], batch.columns[2]->values<int64_t>()[row])
              .second;
      EXPECT_TRUE(is_new) << key;
    }
  }
}

Groups expected(const std::vector<int64_t>& keys) {
  Groups groups;
  for (const int64_t key : keys) {
    auto& [count, sum] = groups[key];
    ++count;
    sum += key;
  }
  return groups;
}

/// Keys in runs, in random order, and few of them again and again.
std::vector<std::vector<int64_t>> inputs() {
  constexpr size_t kRows = 400'000;
  std::vector<std::vector<int64_t>> all(4, std::vector<int64_t>(kRows));
  std::mt19937_64 random(7);
  for (size_t i = 0; i < kRows; ++i) {
    all[0][i] = static_cast<int64_t>(i) / 2;
    all[1][i] = static_cast<int64_t>(random() >> 1);
    all[2][i] = static_cast<int64_t>(random() % 100'000);
    all[3][i] = static_cast<int64_t>(random() % 10);
  }
  return all;
}

TEST(AggregateSink, GroupsAnyNumberOfKeys) {
  const execution::Cancellation never;
  execution::Metrics metrics;
  const execution::OperatorContext ctx{unlimited(), &never, &metrics, 3, 4096};
  for (const std::vector<int64_t>& keys : inputs()) {
    for (const int num_workers : {1, 3}) {
      const auto sink = aggregate(keys, num_workers, ctx);
      Groups groups;
      read(*sink, 0, 1, groups);
      EXPECT_EQ(groups, expected(keys));
    }
  }
}

TEST(AggregateSink, DealsManyGroupsToStreamsByTheirKeysAlone) {
  const execution::Cancellation never;
  execution::Metrics metrics;
  const execution::OperatorContext ctx{unlimited(), &never, &metrics, 3, 4096};
  const std::vector<int64_t> keys = inputs()[0];
  const auto one = aggregate(keys, 1, ctx);
  const auto other = aggregate(keys, 3, ctx);
  Groups all;
  for (int index = 0; index < 3; ++index) {
    Groups groups;
    Groups again;
    read(*one, index, 3, groups);
    read(*other, index, 3, again);
    EXPECT_EQ(groups, again);
    all.merge(groups);
  }
  EXPECT_EQ(all, expected(keys));
}

/// Takes in batches of keys, each by a worker of its own, and returns the keys as they are emitted.
std::vector<int64_t> ordered_keys(const std::shared_ptr<plan::Aggregate>& node, std::vector<Batch> batches) {
  const execution::Cancellation never;
  execution::Metrics metrics;
  const execution::OperatorContext ctx{unlimited(), &never, &metrics, 3, 4096};
  AggregateSink sink(node, ctx, test::spill_target(ctx));
  std::vector<std::unique_ptr<State>> workers;
  for (Batch& batch : batches) {
    workers.push_back(sink.make_state());
    test::insist([&] { return sink.consume(*workers.back(), batch); });
  }
  for (const auto& worker : workers) test::insist([&] { return sink.combine(*worker); });
  test::insist([&] { return sink.finish(); });
  std::vector<int64_t> keys;
  const auto source = test::handed_on(sink)->make_source(0, 1);
  const auto state = source->make_state();
  Batch batch;
  while (test::insist([&] { return source->next(*state, batch); }).kind == Kind::HasOutput) {
    const auto* values = batch.columns[0]->values<int64_t>();
    keys.insert(keys.end(), values, values + batch.num_rows);
  }
  return keys;
}

/// Batches of morsels 3, 0 and 1, of which the last two are of one partition.
std::vector<Batch> three_batches() {
  std::vector<Batch> batches = {batch_of({9, 5, 7}, 3), batch_of({6, 2, 6}, 0), batch_of({8, 2, 5, 4}, 1)};
  batches[2].morsels_before = 1;
  return batches;
}

/// Sums of which Spark spreads the groups among three partitions.
std::shared_ptr<plan::Aggregate> spread_sums() {
  auto node = sums();
  expressions::ProgramBuilder builder;
  const expressions::Slot values[] = {builder.input(0, kLong, true)};
  const expressions::Slot hash = plan::spark_hash(builder, values, plan::kPartitioningSeed, 0);
  node->key_hash = std::move(builder).finish({&hash, 1});
  node->num_partitions = 3;
  return node;
}

TEST(AggregateSink, GivesOutFewGroupsAsTheyWereMet) {
  EXPECT_EQ(ordered_keys(sums(), three_batches()), (std::vector<int64_t>{6, 2, 8, 5, 4, 9, 7}));
}

// Spark puts 6 and 7 into partition 0, the others into 2.
TEST(AggregateSink, GivesOutFewGroupsAsSparkSpreadsThem) {
  const auto node = spread_sums();
  EXPECT_EQ(ordered_keys(node, three_batches()), (std::vector<int64_t>{6, 7, 2, 8, 5, 4, 9}));
  node->reads_together = true;
  EXPECT_EQ(ordered_keys(node, three_batches()), (std::vector<int64_t>{6, 2, 8, 5, 4, 7, 9}));
  node->spark_sorts = true;
  EXPECT_EQ(ordered_keys(node, three_batches()), (std::vector<int64_t>{2, 4, 5, 6, 7, 8, 9}));
}

TEST(AggregateSink, OrdersAsManyAsAreFew) {
  std::vector<int64_t> keys(GroupOrder::kMostGroups);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int64_t>(i * 3 % keys.size());
  std::vector<Batch> batches;
  batches.push_back(batch_of(keys, 0));
  EXPECT_EQ(ordered_keys(sums(), std::move(batches)), keys);
}

/// Returns how many morsels one of several streams has, each of which it emits.
int64_t num_morsels(AggregateSink& sink, int index, int count) {
  const auto source = test::handed_on(sink)->make_source(index, count);
  const auto state = source->make_state();
  int64_t num_ended = 0;
  Batch batch;
  while (test::insist([&] { return source->next(*state, batch); }).kind == Kind::HasOutput) {
    EXPECT_EQ(batch.morsel, num_ended);
    EXPECT_EQ(batch.columns.size(), 3U);
    num_ended += batch.ends_morsel ? 1 : 0;
  }
  EXPECT_EQ(num_ended, source->num_morsels());
  return num_ended;
}

TEST(AggregateSink, EmitsFewGroupsAsOneMorsel) {
  const execution::Cancellation never;
  execution::Metrics metrics;
  const execution::OperatorContext ctx{unlimited(), &never, &metrics, 3, 4096};
  std::vector<int64_t> keys(GroupOrder::kMostGroups);
  std::iota(keys.begin(), keys.end(), 0);
  EXPECT_EQ(num_morsels(*aggregate(keys, 1, ctx), 0, 1), 1);
  EXPECT_EQ(num_morsels(*aggregate({7}, 2, ctx), 0, 1), 1);
  EXPECT_EQ(num_morsels(*aggregate({}, 2, ctx), 0, 1), 1);
  // Which of several streams a group is in depends on its key alone.
  EXPECT_EQ(num_morsels(*aggregate({7}, 2, ctx), 1, 2), GroupedStates::kPartitions / 2);
  keys.push_back(-1);
  EXPECT_EQ(num_morsels(*aggregate(keys, 1, ctx), 0, 1), GroupedStates::kPartitions);
}

TEST(AggregateSink, GivesItsMemoryBack) {
  const execution::Cancellation never;
  execution::Metrics metrics;
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited, nullptr);
  {
    const auto sink = aggregate(inputs()[1], 2, {budget, &never, &metrics, 3, 4096});
    Groups groups;
    read(*sink, 0, 1, groups);
    EXPECT_GT(budget->used_bytes(), 0);
  }
  EXPECT_EQ(budget->used_bytes(), 0);
}

}  // namespace
}  // namespace accelerant::operators
