#include "operators/window.h"

#include "base/error.h"
#include "operators/test_windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <sstream>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using test::aggregate_of;
using test::call_of;
using test::kDouble;
using test::kInt;
using test::kNever;
using test::kNumber;
using test::kPeers;
using test::kThreeMore;
using test::kTwoLess;
using test::kUnbounded;
using test::Number;
using test::PlainRows;
using test::rows_from;
using test::rows_of;
using test::run;
using test::value_of;
using test::window_of;
using test::WindowCall;
using test::WindowKind;

std::unique_ptr<WindowSink> windowing(std::vector<WindowCall> calls, size_t num_partition_keys = 1,
                                      int64_t batch_rows = 64, const execution::Cancellation& cancellation = kNever,
                                      const std::shared_ptr<memory::Budget>& budget = columns::test::unlimited(),
                                      std::optional<plan::RankLimit> limit = std::nullopt) {
  static execution::Metrics metrics;
  const auto node = window_of(std::move(calls), num_partition_keys);
  node->limit = limit;
  const execution::OperatorContext ctx{budget, &cancellation, &metrics, 3, batch_rows};
  return std::make_unique<WindowSink>(node, ctx, test::spill_target(ctx));
}

Number sum(const std::vector<Number>& values) {
  Number total;
  for (const Number& number : values) {
    if (number) total = total.value_or(0) + *number;
  }
  return total;
}

Number greatest(const std::vector<Number>& values) {
  return values.empty() ? Number() : *std::ranges::max_element(values);
}

Number num_values(const std::vector<Number>& values) {
  return std::ranges::count_if(values, [](const Number& number) { return number.has_value(); });
}

struct FrameCase {
  plan::WindowFrame frame;
  std::function<bool(const PlainRows&, size_t row, size_t of)> holds;
};

const auto kRowDistance = [](size_t row, size_t of) { return static_cast<int64_t>(row) - static_cast<int64_t>(of); };

FrameCase between_rows(int64_t lower, int64_t upper) {
  return {{rows_from(lower), rows_from(upper)}, [=](const PlainRows&, size_t row, size_t of) {
            return kRowDistance(row, of) >= lower && kRowDistance(row, of) <= upper;
          }};
}

std::vector<FrameCase> all_frames() {
  return {
      {{kUnbounded, kUnbounded}, [](const PlainRows&, size_t, size_t) { return true; }},
      {{kUnbounded, rows_from(0)}, [](const PlainRows&, size_t row, size_t of) { return row <= of; }},
      {{kUnbounded, rows_from(-3)}, [](const PlainRows&, size_t row, size_t of) { return row + 3 <= of; }},
      {{rows_from(0), kUnbounded}, [](const PlainRows&, size_t row, size_t of) { return row >= of; }},
      {{kUnbounded, kPeers},
       [](const PlainRows& rows, size_t row, size_t of) {
         return rows.order[rows.sorted[row]] <= rows.order[rows.sorted[of]];
       }},
      {{kPeers, kUnbounded},
       [](const PlainRows& rows, size_t row, size_t of) {
         return rows.order[rows.sorted[row]] >= rows.order[rows.sorted[of]];
       }},
      {{kTwoLess, kThreeMore},
       [](const PlainRows& rows, size_t row, size_t of) { return rows.is_near(row, of, 2, 3); }},
      {{kTwoLess, kPeers}, [](const PlainRows& rows, size_t row, size_t of) { return rows.is_near(row, of, 2, 0); }},
      between_rows(-2, 2),
      between_rows(-70, 10),
      between_rows(-5, -3),
      between_rows(40, 90),
  };
}

TEST(WindowSink, AddsUpFramesAsEachRowWould) {
  uint32_t seed = 0;
  for (const size_t num_rows : {0, 1, 40, 400}) {
    for (const size_t num_partitions : {0, 3, 200}) {
      const PlainRows rows(++seed, num_rows, num_partitions);
      for (const FrameCase& frame : all_frames()) {
        const auto sink = windowing(
            {aggregate_of("sum", frame.frame), aggregate_of("max", frame.frame), aggregate_of("count", frame.frame)});
        run(*sink, rows.batches(90), 1 + seed % 3);
        const auto holds = [&](size_t row, size_t of) { return frame.holds(rows, row, of); };
        ASSERT_EQ(rows_of(*sink, 2), rows.results(holds, sum)) << num_rows << " rows, " << num_partitions;
        ASSERT_EQ(rows_of(*sink, 3), rows.results(holds, greatest));
        ASSERT_EQ(rows_of(*sink, 4), rows.results(holds, num_values));
      }
    }
  }
}

/// Makes one batch of rows of one partition.
Batch rows_by(const std::vector<Number>& order, const std::vector<Number>& values) {
  Batch batch;
  batch.num_rows = static_cast<int64_t>(order.size());
  std::vector<Number> numbers;
  for (int64_t i = 0; i < batch.num_rows; ++i) numbers.emplace_back(i);
  const auto none = make_longs(std::vector<Number>(order.size()));
  batch.columns = {none, make_longs(order), make_longs(values), none, none, make_longs(numbers)};
  return batch;
}

TEST(WindowSink, GoesOnFromOneChunkOfFramesToTheNext) {
  constexpr int64_t kRows = 5000;
  constexpr int64_t kReach = 700;
  std::vector<Number> order;
  std::vector<Number> values;
  std::vector<int64_t> sums = {0};
  for (int64_t i = 0; i < kRows; ++i) {
    order.emplace_back(i);
    values.emplace_back(i * i % 101);
    sums.push_back(sums.back() + *values.back());
  }
  const auto sink = windowing({aggregate_of("sum", {kUnbounded, rows_from(0)}),
                               aggregate_of("sum", {rows_from(-kReach), rows_from(kReach)}),
                               aggregate_of("sum", {rows_from(0), kUnbounded})});
  run(*sink, {rows_by(order, values)}, 1);
  std::array<std::string, 3> expected;
  for (int64_t i = 0; i < kRows; ++i) {
    const auto sum_of = [&](int64_t begin, int64_t end) {
      return std::to_string(sums[static_cast<size_t>(end)] - sums[static_cast<size_t>(begin)]) + " ";
    };
    expected[0] += sum_of(0, i + 1);
    expected[1] += sum_of(std::max<int64_t>(0, i - kReach), std::min(kRows, i + kReach + 1));
    expected[2] += sum_of(i, kRows);
  }
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(rows_of(*sink, i + 2), expected[i]);
}

TEST(WindowSink, FindsValuesOfFrames) {
  const PlainRows rows(7, 300, 4);
  for (const FrameCase& frame : all_frames()) {
    const auto sink = windowing({value_of(WindowKind::NthValue, 1, false, frame.frame),
                                 value_of(WindowKind::NthValue, 2, true, frame.frame),
                                 value_of(WindowKind::LastValue, 1, true, frame.frame)});
    run(*sink, rows.batches(50), 2);
    const auto holds = [&](size_t row, size_t of) { return frame.holds(rows, row, of); };
    const auto not_null = [](const std::vector<Number>& values) {
      std::vector<Number> left;
      std::ranges::copy_if(values, std::back_inserter(left), [](const Number& number) { return number.has_value(); });
      return left;
    };
    const auto first = [](const std::vector<Number>& values) { return values.empty() ? Number() : values.front(); };
    const auto second = [&](const std::vector<Number>& values) {
      const auto left = not_null(values);
      return left.size() < 2 ? Number() : left[1];
    };
    const auto last = [&](const std::vector<Number>& values) {
      const auto left = not_null(values);
      return left.empty() ? Number() : left.back();
    };
    ASSERT_EQ(rows_of(*sink, 2), rows.results(holds, first));
    ASSERT_EQ(rows_of(*sink, 3), rows.results(holds, second));
    ASSERT_EQ(rows_of(*sink, 4), rows.results(holds, last));
  }
}

TEST(WindowSink, Ranks) {
  const auto sink = windowing({call_of(WindowKind::RowNumber, kInt), call_of(WindowKind::Rank, kInt),
                               call_of(WindowKind::DenseRank, kInt), call_of(WindowKind::NTile, kInt, 3),
                               call_of(WindowKind::NTile, kInt, 9), call_of(WindowKind::PercentRank, kDouble),
                               call_of(WindowKind::CumeDist, kDouble)});
  run(*sink, {rows_by({3, 1, std::nullopt, 1, 4}, {1, 2, 3, 4, 5})}, 1);
  EXPECT_EQ(rows_of(*sink, 0), "2 1 3 0 4 ");
  EXPECT_EQ(rows_of(*sink, 2), "1 2 3 4 5 ");
  EXPECT_EQ(rows_of(*sink, 3), "1 2 2 4 5 ");
  EXPECT_EQ(rows_of(*sink, 4), "1 2 2 3 4 ");
  EXPECT_EQ(rows_of(*sink, 5), "1 1 2 2 3 ");
  EXPECT_EQ(rows_of(*sink, 6), "1 2 3 4 5 ");
  EXPECT_EQ(rows_of(*sink, 7), "0.000000 0.250000 0.250000 0.750000 1.000000 ");
  EXPECT_EQ(rows_of(*sink, 8), "0.200000 0.600000 0.600000 0.800000 1.000000 ");
}

TEST(WindowSink, Shifts) {
  WindowCall with_default = value_of(WindowKind::Shift, 2, false);
  with_default.arguments.push_back(kNumber);
  const auto sink =
      windowing({value_of(WindowKind::Shift, -1, false), with_default, value_of(WindowKind::Shift, -2, true),
                 value_of(WindowKind::Shift, 1, true), value_of(WindowKind::Shift, 0, true)});
  run(*sink, {rows_by({1, 2, 3, 4, 5}, {10, std::nullopt, 30, std::nullopt, 50})}, 1);
  EXPECT_EQ(rows_of(*sink, 2), "null 10 null 30 null ");
  EXPECT_EQ(rows_of(*sink, 3), "30 null 50 3 4 ");
  EXPECT_EQ(rows_of(*sink, 4), "null null null 10 10 ");
  EXPECT_EQ(rows_of(*sink, 5), "30 30 50 50 null ");
  EXPECT_EQ(rows_of(*sink, 6), "10 null 30 null 50 ");
}

TEST(WindowSink, BeginsPartsWhereWindowPartitionsBegin) {
  const PlainRows rows(3, 900, 20);
  const auto sink = windowing({call_of(WindowKind::RowNumber, kInt)}, 1, 16);
  run(*sink, rows.batches(70), 3);
  const auto all = rows.results([](size_t row, size_t of) { return row <= of; },
                                [](const auto& frame) { return static_cast<int64_t>(frame.size()); });
  std::string parts;
  for (int part = 0; part < 6; ++part) {
    const std::string numbers = rows_of(*sink, 2, part, 6);
    EXPECT_TRUE(numbers.empty() || numbers.starts_with("1 "));
    parts += numbers;
  }
  EXPECT_EQ(parts, all);
}

TEST(WindowSink, TakesAllRowsForOneWindowPartitionWithoutKeys) {
  const PlainRows rows(5, 500, 0);
  const auto sink = windowing({call_of(WindowKind::RowNumber, kInt)}, 0);
  run(*sink, rows.batches(70), 2);
  EXPECT_TRUE(rows_of(*sink, 2).ends_with(" 499 500 "));
  EXPECT_EQ(rows_of(*sink, 2, 0, 2), rows_of(*sink, 2));
}

/// Returns those of numbers that are not above a limit.
std::string up_to(const std::string& numbers, int64_t limit) {
  std::string left;
  std::istringstream words(numbers);
  for (int64_t number = 0; words >> number;) {
    if (number <= limit) left += std::to_string(number) + " ";
  }
  return left;
}

TEST(WindowSink, LeavesOutRowsBeyondALimitWhereThereAreMany) {
  const PlainRows rows(11, 4000, 6);
  for (const WindowKind rank : {WindowKind::RowNumber, WindowKind::Rank, WindowKind::DenseRank}) {
    for (const size_t num_workers : {1, 3}) {
      const auto all = windowing({call_of(rank, kInt)}, 1, 16);
      run(*all, rows.batches(100), num_workers);
      const auto few = windowing({call_of(rank, kInt)}, 1, 16, kNever, columns::test::unlimited(), {{rank, 3}});
      run(*few, rows.batches(100), num_workers);
      EXPECT_EQ(up_to(rows_of(*few, 2), 3), up_to(rows_of(*all, 2), 3));
      EXPECT_LT(rows_of(*few, 2).size(), rows_of(*all, 2).size() / 4);
    }
  }
}

TEST(WindowSink, FailsOnlyInTheRowsWhoseFrameFails) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const auto sink = windowing({aggregate_of("sum", {kUnbounded, rows_from(0)})});
  run(*sink, {rows_by({1, 2, 3}, {kMost, 1, -5})}, 1);
  const auto source = test::handed_on(*sink)->make_source(0, 1);
  const auto state = source->make_state();
  Batch batch;
  source->next(*state, batch);
  ASSERT_EQ(batch.errors.size(), 1);
  EXPECT_EQ(batch.errors.front().row, 1);
  ASSERT_TRUE(batch.selection);
  EXPECT_EQ(*batch.selection, (std::vector<int32_t>{0, 2}));
}

TEST(WindowSink, GivesBackItsMemoryAndStaysInItsBudget) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  {
    const auto sink = windowing({aggregate_of("sum", {rows_from(-70), rows_from(70)})}, 1, 64, kNever, budget);
    run(*sink, PlainRows(1, 1000, 3).batches(100), 3);
    rows_of(*sink, 2);
    EXPECT_GT(budget->used_bytes(), 0);
  }
  EXPECT_EQ(budget->used_bytes(), 0);
  const auto small = std::make_shared<memory::Budget>("small", 4096);
  const auto sink = windowing({call_of(WindowKind::RowNumber, kInt)}, 1, 64, kNever, small);
  EXPECT_THROW(run(*sink, PlainRows(1, 5000, 3).batches(1000), 1), Error);
}

TEST(WindowSink, StopsWhereTheQueryIsCancelled) {
  execution::Cancellation cancellation;
  const auto sink = windowing({aggregate_of("sum", {kUnbounded, kPeers})}, 1, 64, cancellation);
  run(*sink, PlainRows(1, 1000, 3).batches(100), 2);
  cancellation.cancel();
  EXPECT_THROW(rows_of(*sink, 2), Error);
}

}  // namespace
}  // namespace accelerant::operators
