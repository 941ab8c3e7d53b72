#include "operators/limit_spill.h"

#include "base/error.h"
#include "operators/limit.h"
#include "operators/test_breakers.h"
#include "operators/test_spilling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <random>
#include <utility>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using columns::test::make_strings;

const execution::Cancellation kNever;

/// Limits of rows of a text and a number, with the number of each row as the last column.
class LimitSpillTest : public test::SpillingTest {
 protected:
  std::unique_ptr<LimitSink> limiting(int64_t limit, int64_t offset, int64_t limit_bytes) {
    budget_ = std::make_shared<memory::Budget>("test", limit_bytes);
    target_ = std::make_shared<spill::SpillTarget>("Limit (plan node 3)", budget_, folders_, threads_);
    return std::make_unique<LimitSink>(limit, offset,
                                       execution::OperatorContext{budget_, &kNever, &metrics_, 3, kBatchRows}, target_);
  }

  /// Makes batches of so many rows, three of a morsel, every other one with some rows left out.
  static std::vector<Batch> batches(int num_batches) {
    std::vector<Batch> batches;
    for (int i = 0; i < num_batches; ++i) {
      std::vector<std::optional<std::string>> texts;
      for (int64_t row = 0; row < kBatchRows; ++row) texts.emplace_back("a text that is long " + std::to_string(row));
      batches.push_back(test::batch_of(i / 3, make_strings(texts), kBatchRows * i));
      batches.back().sequence = i % 3;
      batches.back().ends_morsel = i % 3 == 2 || i + 1 == num_batches;
      if (i % 2 == 1) batches.back().selection = every_third();
    }
    return batches;
  }

  static columns::Selection every_third() {
    std::vector<int32_t> rows;
    for (int32_t row = 0; row < kBatchRows; row += 3) rows.push_back(row);
    return std::make_shared<const std::vector<int32_t>>(std::move(rows));
  }

  /// Returns the numbers of the rows that a limit keeps.
  static std::string kept_of(const std::vector<Batch>& batches, int64_t limit, int64_t offset) {
    std::vector<std::string> rows;
    for (const Batch& batch : batches) {
      const Batch compact = columns::compact(batch, columns::test::unlimited());
      for (const std::string& row : columns::test::show(*compact.columns[1])) rows.push_back(row + " ");
    }
    std::string text;
    const auto count = static_cast<int64_t>(rows.size());
    for (int64_t row = offset; row < (limit < 0 ? count : std::min(count, offset + limit)); ++row) {
      text += rows[static_cast<size_t>(row)];
    }
    return text;
  }

  /// Deals the batches to workers by their morsels, in an order of its own for each seed, and completes the limit.
  static void run(LimitSink& sink, const std::vector<Batch>& batches, size_t num_workers, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::vector<Batch>> left(num_workers);
    for (const Batch& batch : batches) left[static_cast<size_t>(batch.morsel) % num_workers].push_back(batch);
    std::vector<std::unique_ptr<State>> states;
    for (size_t i = 0; i < num_workers; ++i) {
      states.push_back(sink.make_state());
      std::ranges::reverse(left[i]);
    }
    for (size_t num_left = batches.size(); num_left > 0; --num_left) {
      size_t worker = random() % num_workers;
      while (left[worker].empty()) worker = (worker + 1) % num_workers;
      Batch in = left[worker].back();
      left[worker].pop_back();
      if (test::insist([&] { return sink.consume(*states[worker], in); }).kind == Step::Kind::Finished) break;
    }
    for (const auto& state : states) (void)test::insist([&] { return sink.combine(*state); });
    complete(sink);
  }

  static void complete(LimitSink& sink) {
    (void)test::insist_to_end([&] { return sink.finish(); });
    for (int64_t task = 0; task < sink.num_finish_tasks(); ++task) {
      (void)test::insist([&] { return sink.run_finish_task(task); });
    }
  }

  static std::string all_parts_of(LimitSink& sink, int count) {
    std::string rows;
    for (int part = 0; part < count; ++part) rows += test::rows_of(sink, 1, part, count);
    return rows;
  }

  static constexpr int64_t kBatchRows = 300;
  static constexpr int64_t kEnough = int64_t{1} << 30;
};

TEST_F(LimitSpillTest, KeepsTheRowsThatItKeepsInMemoryInTheirOrder) {
  const std::vector<Batch> rows = batches(60);
  for (const auto& [limit, offset] :
       std::map<int64_t, int64_t>{{-1, 0}, {-2, 5000}, {9000, 0}, {7777, 2500}, {11999, 100}}) {
    const std::string expected = kept_of(rows, limit, offset);
    for (const size_t num_workers : {1, 3}) {
      const auto in_memory = limiting(limit, offset, kEnough);
      run(*in_memory, rows, num_workers, 1);
      EXPECT_EQ(target_->written_bytes, 0);
      EXPECT_EQ(all_parts_of(*in_memory, 1), expected);
      for (unsigned seed = 0; seed < 3; ++seed) {
        const auto spilling = limiting(limit, offset, 300'000);
        run(*spilling, rows, num_workers, seed);
        EXPECT_GT(target_->written_bytes, 20'000);
        EXPECT_LE(budget_->peak_bytes(), budget_->limit_bytes());
        for (const int count : {1, 2, 7, 300}) EXPECT_EQ(all_parts_of(*spilling, count), expected) << count;
      }
    }
  }
  EXPECT_EQ(system_.num_open, 0);
}

TEST_F(LimitSpillTest, HoldsHardlyMemoryForRowsOnDisk) {
  const auto sink = limiting(-1, 0, 300'000);
  run(*sink, batches(60), 2, 0);
  EXPECT_LT(budget_->used_bytes(), 20'000);
}

TEST_F(LimitSpillTest, LeavesNeitherMemoryNorFiles) {
  {
    const auto sink = limiting(-1, 0, 300'000);
    run(*sink, batches(60), 2, 0);
    EXPECT_GT(folders_.used_bytes(), 0);
    EXPECT_GT(system_.num_open, 0);
  }
  EXPECT_EQ(system_.num_open, 0);
  EXPECT_EQ(folders_.used_bytes(), 0);
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(LimitSpillTest, GivesItsMemoryToOthers) {
  const std::vector<Batch> rows = batches(60);
  const auto sink = limiting(-1, 0, 10'000'000);
  const auto state = sink->make_state();
  for (const Batch& batch : rows) {
    Batch in = batch;
    sink->consume(*state, in);
  }
  EXPECT_EQ(target_->written_bytes, 0);
  const int64_t others = budget_->limit_bytes() - budget_->used_bytes() / 2;
  budget_->reserve(others);
  EXPECT_GT(target_->written_bytes, 0);
  budget_->release(others);
  sink->combine(*state);
  complete(*sink);
  EXPECT_EQ(all_parts_of(*sink, 3), kept_of(rows, -1, 0));
}

TEST_F(LimitSpillTest, DropsRowsBehindTheLastOne) {
  const std::vector<Batch> rows = batches(60);
  const auto sink = limiting(10, 0, kEnough);
  const auto state = sink->make_state();
  for (size_t i = rows.size() - 1; i >= 3; --i) {
    Batch in = rows[i];
    sink->consume(*state, in);
  }
  Batch first = rows[0];
  EXPECT_EQ(sink->consume(*state, first).kind, Step::Kind::Finished);
  sink->combine(*state);
  complete(*sink);
  EXPECT_LT(budget_->used_bytes(), 10'000);
}

TEST_F(LimitSpillTest, CopiesOnlyRowsThatMayBeWanted) {
  const auto sink = limiting(4, 3, kEnough);
  const auto state = sink->make_state();
  Batch later = batches(6)[3];
  later.selection = nullptr;
  sink->consume(*state, later);
  EXPECT_LT(budget_->used_bytes(), 20'000);
}

TEST_F(LimitSpillTest, GoesToAnotherFolderWhereOneIsFull) {
  system_.folders["/a"].room_bytes = 1000;
  const std::vector<Batch> rows = batches(60);
  const auto sink = limiting(-1, 0, 300'000);
  run(*sink, rows, 2, 0);
  EXPECT_EQ(all_parts_of(*sink, 2), kept_of(rows, -1, 0));
}

TEST_F(LimitSpillTest, FailsByNameWhereNoFolderHasRoom) {
  system_.folders["/a"].room_bytes = 1000;
  system_.folders["/b"].open_error = ENOENT;
  const auto sink = limiting(-1, 0, 300'000);
  try {
    run(*sink, batches(60), 2, 0);
    FAIL() << "all rows were kept";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), memory::kOutOfBudget);
    EXPECT_TRUE(error.message().starts_with("out of memory: Limit (plan node 3) has to spill and can't: "))
        << error.message();
  }
}

TEST_F(LimitSpillTest, KeepsItsOrderWithManyThreadsThatLackMemory) {
  const std::vector<Batch> rows = batches(240);
  const auto sink = limiting(30'000, 1000, 1'000'000);
  test::run_in_threads(*sink, rows, 4);
  complete(*sink);
  EXPECT_GT(target_->written_bytes, 0);
  EXPECT_EQ(all_parts_of(*sink, 3), kept_of(rows, 30'000, 1000));
}

}  // namespace
}  // namespace accelerant::operators
