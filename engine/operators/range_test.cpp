#include "operators/range.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "operators/test_steps.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace accelerant::operators {
namespace {

using columns::Batch;

std::shared_ptr<plan::Range> node(int64_t start, int64_t step, int64_t num_rows) {
  auto node = std::make_shared<plan::Range>();
  node->start = start;
  node->step = step;
  node->num_rows = num_rows;
  node->output = {{"id", types::DataType(types::TypeId::Long), false}};
  return node;
}

execution::OperatorContext context(int64_t batch_rows) {
  return {columns::test::unlimited(), nullptr, nullptr, 0, batch_rows};
}

/// Reads partitions [first, last) with one worker and checks the places of the batches.
std::vector<int64_t> read(const RangeTable& table, int first, int last, int64_t batch_rows) {
  const auto source = table.make_source(first, last, context(batch_rows));
  const auto state = source->make_state();
  std::vector<int64_t> rows;
  int64_t morsel = 0;
  int64_t sequence = 0;
  Batch batch;
  while (test::insist([&] { return source->next(*state, batch); }).kind == Step::Kind::HasOutput) {
    EXPECT_EQ(batch.morsel, morsel);
    EXPECT_EQ(batch.sequence, sequence);
    EXPECT_LE(batch.num_rows, batch_rows);
    const auto* values = batch.columns.front()->values<int64_t>();
    rows.insert(rows.end(), values, values + batch.num_rows);
    morsel += batch.ends_morsel;
    sequence = batch.ends_morsel ? 0 : sequence + 1;
  }
  EXPECT_EQ(morsel, source->num_morsels());
  return rows;
}

TEST(Range, CountsUpAndDown) {
  const RangeTable up(node(5, 3, 4));
  EXPECT_EQ(read(up, 0, up.num_partitions(), 3), (std::vector<int64_t>{5, 8, 11, 14}));
  const RangeTable down(node(5, -3, 4));
  EXPECT_EQ(read(down, 0, down.num_partitions(), 100), (std::vector<int64_t>{5, 2, -1, -4}));
}

TEST(Range, ReachesTheEndsOf64Bits) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const RangeTable wide(node(kMin, kMax, 3));
  EXPECT_EQ(read(wide, 0, wide.num_partitions(), 2), (std::vector<int64_t>{kMin, -1, kMax - 1}));
  const RangeTable down(node(kMax, kMin, 2));
  EXPECT_EQ(read(down, 0, down.num_partitions(), 2), (std::vector<int64_t>{kMax, -1}));
}

/// Returns how many rows come of each partition of Spark's, by the number of its first morsel.
std::vector<int64_t> rows_of_slices(int64_t num_rows, int64_t num_slices) {
  auto sliced = node(0, -1, num_rows);
  sliced->num_slices = num_slices;
  const RangeTable table(sliced);
  const auto source = table.make_source(0, table.num_partitions(), context(100'000));
  const auto state = source->make_state();
  std::vector<int64_t> rows;
  int64_t partition = -1;
  Batch batch;
  while (test::insist([&] { return source->next(*state, batch); }).kind == Step::Kind::HasOutput) {
    if (batch.morsel - batch.morsels_before != partition) rows.push_back(0);
    partition = batch.morsel - batch.morsels_before;
    rows.back() += batch.num_rows;
  }
  return rows;
}

TEST(Range, IsPartedAsSparkPartsIt) {
  EXPECT_EQ(rows_of_slices(10, 3), (std::vector<int64_t>{3, 3, 4}));
  EXPECT_EQ(rows_of_slices(2, 5), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(rows_of_slices(0, 4), std::vector<int64_t>{});
  EXPECT_EQ(rows_of_slices(1'000'001, 2), (std::vector<int64_t>{500'000, 500'001}));
}

TEST(Range, GivesEveryRowOnceWhateverTheParts) {
  const int64_t num_rows = 600'001;  // more than two morsels
  const RangeTable table(node(0, 1, num_rows));
  std::vector<int64_t> rows;
  for (const auto& [first, last] : {std::pair{0, 100}, {100, 100}, {100, table.num_partitions()}}) {
    const auto part = read(table, first, last, 1000);
    rows.insert(rows.end(), part.begin(), part.end());
  }
  ASSERT_EQ(rows.size(), static_cast<size_t>(num_rows));
  for (int64_t i = 0; i < num_rows; ++i) ASSERT_EQ(rows[static_cast<size_t>(i)], i);
}

TEST(Range, CanBeEmptyAndWithoutColumns) {
  const RangeTable empty(node(0, 1, 0));
  EXPECT_EQ(read(empty, 0, empty.num_partitions(), 10), std::vector<int64_t>());
  const auto bare = node(0, 1, 1);
  bare->output.clear();
  const auto source = RangeTable(bare).make_source(0, 1, context(10));
  const auto state = source->make_state();
  Batch batch;
  ASSERT_EQ(source->next(*state, batch).kind, Step::Kind::HasOutput);
  EXPECT_EQ(batch.num_rows, 1);
  EXPECT_TRUE(batch.columns.empty());
  EXPECT_EQ(source->next(*state, batch).kind, Step::Kind::Finished);
}

TEST(Range, NamesThePlaceAndTheBudgetThatIsExhausted) {
  const RangeTable table(node(0, 1, 1000));
  auto ctx = context(1000);
  ctx.budget = std::make_shared<memory::Budget>("small", 1000);
  const auto source = table.make_source(0, table.num_partitions(), ctx);
  const auto state = source->make_state();
  Batch batch;
  batch.morsel = 7;
  EXPECT_THROW(source->next(*state, batch), Error);
  EXPECT_EQ(batch.morsel, 0);
}

TEST(Range, PartsAreOfAboutEqualSize) {
  const RangeTable huge(node(0, 1, std::numeric_limits<int64_t>::max()));
  int64_t bytes = 0;
  for (int i = 0; i < huge.num_partitions(); ++i) {
    EXPECT_EQ(huge.partition_bytes(i), huge.partition_bytes(0));
    bytes += huge.partition_bytes(i);
  }
  EXPECT_GT(bytes, 0);
}

}  // namespace
}  // namespace accelerant::operators
