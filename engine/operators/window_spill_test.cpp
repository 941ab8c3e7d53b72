#include "base/error.h"
#include "operators/test_spilling.h"
#include "operators/test_windows.h"
#include "operators/window.h"
#include "operators/window_stream.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

namespace accelerant::operators {
namespace {

using columns::Batch;
using test::aggregate_of;
using test::call_of;
using test::insist;
using test::kInt;
using test::kPeers;
using test::kUnbounded;
using test::PlainRows;
using test::rows_from;
using test::value_of;
using test::WindowCall;
using test::WindowKind;

constexpr int64_t kEnough = int64_t{1} << 30;
constexpr int64_t kLittle = 600'000;

/// Windows whose rows go to disk, and the same in memory.
class WindowSpillTest : public test::SpillingTest {
 protected:
  std::unique_ptr<WindowSink> windowing(std::vector<WindowCall> calls, int64_t limit_bytes,
                                        size_t num_partition_keys = 1,
                                        const execution::Cancellation& cancellation = test::kNever,
                                        std::optional<plan::RankLimit> limit = std::nullopt) {
    budget_ = std::make_shared<memory::Budget>("test", limit_bytes);
    target_ = std::make_shared<spill::SpillTarget>("Window (plan node 3)", budget_, folders_, threads_);
    const execution::OperatorContext ctx{budget_, &cancellation, &metrics_, 3, 64};
    const auto node = test::window_of(std::move(calls), num_partition_keys);
    node->limit = limit;
    return std::make_unique<WindowSink>(node, ctx, target_);
  }

  /// Makes a window of ranks of which those up to three are wanted.
  std::unique_ptr<WindowSink> first_three(WindowKind rank, int64_t limit_bytes) {
    return windowing({call_of(rank, kInt)}, limit_bytes, 1, test::kNever, {{rank, 3}});
  }

  /// Returns the lines of rows whose rank is one up to three.
  static std::string up_to_three(const std::string& rows) {
    std::string left;
    std::istringstream lines(rows);
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with(" 1 ") || line.ends_with(" 2 ") || line.ends_with(" 3 ")) left += line + "\n";
    }
    return left;
  }

  /// Returns all values of the rows of a part, which two workers read, a step each in turns, in the order of morsels.
  static std::string read(Breaker& sink, int index, int count) {
    const auto source = test::handed_on(sink)->make_source(index, count);
    const std::array<std::unique_ptr<State>, 2> states = {source->make_state(), source->make_state()};
    std::map<std::pair<int64_t, int64_t>, std::string> batches;
    std::array<bool, 2> has_ended{};
    int64_t num_morsels = 0;
    for (size_t worker = 0; !has_ended[0] || !has_ended[1]; worker = 1 - worker) {
      if (has_ended[worker]) continue;
      Batch batch;
      const Step step = insist([&] { return source->next(*states[worker], batch); });
      has_ended[worker] = step.kind == Step::Kind::Finished;
      // Another worker may have the turn.
      if (step.kind == Step::Kind::Suspended && has_ended[1 - worker]) execution::wait_for(step.event);
      if (step.kind != Step::Kind::HasOutput) continue;
      num_morsels += batch.ends_morsel;
      EXPECT_TRUE(batches.emplace(std::pair(batch.morsel, batch.sequence), shown(batch)).second);
    }
    EXPECT_EQ(num_morsels, source->num_morsels());
    std::string text;
    for (const auto& [place, batch] : batches) text += batch;
    return text;
  }

  static std::string shown(const Batch& batch) {
    std::vector<std::vector<std::string>> columns;
    for (const columns::ColumnPtr& column : batch.columns) columns.push_back(columns::test::show(*column));
    std::string text;
    for (size_t row = 0; row < static_cast<size_t>(batch.num_rows); ++row) {
      for (const std::vector<std::string>& column : columns) text += column[row] + " ";
      text += "\n";
    }
    return text;
  }
};

std::vector<WindowCall> all_kinds() {
  return {call_of(WindowKind::RowNumber, kInt),
          call_of(WindowKind::DenseRank, kInt),
          call_of(WindowKind::NTile, kInt, 4),
          value_of(WindowKind::Shift, -2, false),
          value_of(WindowKind::LastValue, 1, true, {kUnbounded, kPeers}),
          aggregate_of("sum", {kUnbounded, kPeers}),
          aggregate_of("max", {rows_from(-5), rows_from(70)}),
          aggregate_of("count", {kUnbounded, kUnbounded})};
}

TEST_F(WindowSpillTest, GivesTheSameInTheSameOrderAndParts) {
  for (const size_t num_partitions : {2, 30, 3000}) {
    const PlainRows rows(17, 9000, num_partitions);
    const auto in_memory = windowing(all_kinds(), kEnough);
    test::run(*in_memory, rows.batches(90), 3);
    EXPECT_EQ(target_->written_bytes, 0);
    const auto spilling = windowing(all_kinds(), kLittle);
    test::run(*spilling, rows.batches(90), 3);
    EXPECT_GT(target_->written_bytes, 100'000);
    budget_->set_limit_bytes(kEnough);  // each read has its states in memory
    for (const int count : {1, 2, 7}) {
      for (int part = 0; part < count; ++part) {
        EXPECT_EQ(read(*spilling, part, count), read(*in_memory, part, count)) << num_partitions << " " << part;
      }
    }
  }
}

TEST_F(WindowSpillTest, LeavesOutRowsBeyondALimitOnDisk) {
  const PlainRows rows(23, 9000, 700);
  for (const WindowKind rank : {WindowKind::RowNumber, WindowKind::Rank, WindowKind::DenseRank}) {
    const auto all = windowing({call_of(rank, kInt)}, kEnough);
    test::run(*all, rows.batches(90), 3);
    const std::string expected = up_to_three(read(*all, 0, 1));
    const auto few = first_three(rank, 250'000);
    test::run(*few, rows.batches(90), 3);
    EXPECT_GT(target_->written_bytes, 20'000);
    budget_->set_limit_bytes(kEnough);
    EXPECT_EQ(up_to_three(read(*few, 0, 1)), expected);
  }
}

TEST_F(WindowSpillTest, WritesNoRowsBeyondALimit) {
  const PlainRows rows(29, 9000, 40);
  const auto all = windowing({call_of(WindowKind::Rank, kInt)}, kEnough);
  test::run(*all, rows.batches(90), 1);
  const auto few = first_three(WindowKind::Rank, 10'000'000);
  const auto state = few->make_state();
  int num_taken = 0;
  for (Batch& batch : rows.batches(90)) {
    few->consume(*state, batch);
    if (++num_taken != 60) continue;
    const int64_t others = budget_->limit_bytes() - budget_->used_bytes() + 1;
    budget_->reserve(others);
    budget_->release(others);
    EXPECT_GT(target_->written_bytes, 0);
    EXPECT_LT(target_->written_bytes, 60'000);  // of 260,000 that it has taken
  }
  few->combine(*state);
  few->finish();
  ASSERT_EQ(few->num_finish_tasks(), 1);
  few->run_finish_task(0);
  EXPECT_EQ(up_to_three(read(*few, 0, 1)), up_to_three(read(*all, 0, 1)));
}

/// All functions of which pieces of a window partition can be computed.
std::vector<WindowCall> all_in_pieces() {
  WindowCall with_default = value_of(WindowKind::Shift, 3, false);
  with_default.arguments.push_back(test::kNumber);
  return {call_of(WindowKind::RowNumber, kInt),
          call_of(WindowKind::Rank, kInt),
          call_of(WindowKind::DenseRank, kInt),
          call_of(WindowKind::NTile, kInt, 7),
          call_of(WindowKind::PercentRank, test::kDouble),
          call_of(WindowKind::CumeDist, test::kDouble),
          value_of(WindowKind::Shift, -40, false),
          with_default,
          value_of(WindowKind::NthValue, 1, false, {kUnbounded, kPeers}),
          value_of(WindowKind::NthValue, 2, true, {rows_from(-3), rows_from(2)}),
          value_of(WindowKind::LastValue, 1, false, {kUnbounded, kPeers}),
          value_of(WindowKind::LastValue, 1, false, {kUnbounded, rows_from(-5)}),
          value_of(WindowKind::LastValue, 1, false, {kUnbounded, kUnbounded}),
          value_of(WindowKind::LastValue, 1, true, {rows_from(1), rows_from(4)}),
          aggregate_of("sum", {kUnbounded, kPeers}),
          aggregate_of("max", {kUnbounded, rows_from(0)}),
          aggregate_of("count", {kPeers, kPeers}),
          aggregate_of("sum", {rows_from(-70), rows_from(50)}),
          aggregate_of("max", {kUnbounded, kUnbounded})};
}

TEST_F(WindowSpillTest, ComputesPartitionsThatAreLargerThanMemoryPieceByPiece) {
  for (const size_t num_partitions : {0, 1, 4}) {
    const size_t num_keys = num_partitions == 0 ? 0 : 1;
    const PlainRows rows(23, 30'000, num_partitions);
    const auto in_memory = windowing(all_in_pieces(), kEnough, num_keys);
    test::run(*in_memory, rows.batches(90), 3);
    const std::string expected = read(*in_memory, 0, 1);
    const auto spilling = windowing(all_in_pieces(), 2 * kLittle, num_keys);
    test::run(*spilling, rows.batches(90), 3);
    budget_->set_limit_bytes(budget_->used_bytes() + kLittle);
    EXPECT_TRUE(read(*spilling, 0, 1) == expected) << num_partitions;
    EXPECT_LE(budget_->peak_bytes(), 2 * kLittle);
  }
}

TEST_F(WindowSpillTest, KnowsWhichFunctionsNeedAllOfAPartition) {
  for (const WindowCall& call :
       {value_of(WindowKind::Shift, 1, true), value_of(WindowKind::Shift, 1 << 20, false),
        value_of(WindowKind::NthValue, 1, false, {kUnbounded, test::kTwoLess}),
        value_of(WindowKind::NthValue, 2, false, {kUnbounded, kPeers}), aggregate_of("sum", {kUnbounded, rows_from(1)}),
        aggregate_of("sum", {rows_from(0), kUnbounded})}) {
    EXPECT_FALSE(WindowReach(*test::window_of({call})).can_stream);
  }
  EXPECT_TRUE(WindowReach(*test::window_of(all_in_pieces())).can_stream);
}

TEST_F(WindowSpillTest, KeepsAPartitionTogetherWhoseFunctionsNeedAllOfIt) {
  const PlainRows rows(29, 9000, 0);
  const std::vector<WindowCall> calls = {value_of(WindowKind::Shift, -1, true)};
  const auto in_memory = windowing(calls, kEnough, 0);
  test::run(*in_memory, rows.batches(90), 1);
  const auto spilling = windowing(calls, kLittle, 0);
  test::run(*spilling, rows.batches(90), 1);
  budget_->set_limit_bytes(budget_->used_bytes() + kLittle / 2);
  EXPECT_THROW(read(*spilling, 0, 1), Error);
  budget_->set_limit_bytes(kEnough);
  EXPECT_EQ(read(*spilling, 0, 1), read(*in_memory, 0, 1));
}

TEST_F(WindowSpillTest, LeavesNeitherMemoryNorFiles) {
  {
    const auto sink = windowing(all_in_pieces(), kLittle, 0);
    test::run(*sink, PlainRows(31, 9000, 0).batches(90), 2);
    EXPECT_GT(system_.num_open, 0);
    // What is read of a partition in pieces goes with its reader.
    const auto source = test::handed_on(*sink)->make_source(0, 1);
    const auto state = source->make_state();
    Batch batch;
    for (int i = 0; i < 3; ++i) {
      const Step step = insist([&] { return source->next(*state, batch); });
      if (step.kind == Step::Kind::Suspended) execution::wait_for(step.event);
    }
  }
  // A block that was being read ahead goes when it is read.
  for (int i = 0; i < 1000 && budget_->used_bytes() > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(system_.num_open, 0);
  EXPECT_EQ(budget_->used_bytes(), 0);
}

}  // namespace
}  // namespace accelerant::operators
