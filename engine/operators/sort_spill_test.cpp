#include "operators/sort_spill.h"

#include "base/error.h"
#include "columns/gather.h"
#include "operators/sort.h"
#include "operators/test_breakers.h"
#include "operators/test_spilling.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <map>
#include <random>
#include <utility>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::ColumnPtr;
using columns::test::make_longs;
using columns::test::make_strings;
using test::batch_of;
using test::insist;
using test::rows_of;

const execution::Cancellation kNever;

/// A sort by a text and a number, of which many are equal, with the number of each row as the last column.
class SortSpillTest : public test::SpillingTest {
 protected:
  std::unique_ptr<SortSink> sorting(int64_t limit_bytes, const execution::Cancellation& cancellation = kNever) {
    budget_ = std::make_shared<memory::Budget>("test", limit_bytes);
    auto node = std::make_shared<plan::Sort>();
    node->keys = keys_;
    target_ = std::make_shared<spill::SpillTarget>("Sort (plan node 3)", budget_, folders_, threads_);
    return std::make_unique<SortSink>(node, execution::OperatorContext{budget_, &cancellation, &metrics_, 3, 64},
                                      target_);
  }

  /// Makes batches of about so many rows, several of a morsel.
  static std::vector<Batch> batches(int num_batches, int num_rows) {
    std::mt19937_64 random(7);
    std::vector<Batch> batches;
    for (int i = 0; i < num_batches; ++i) {
      std::vector<std::optional<int64_t>> numbers;
      std::vector<std::optional<std::string>> texts;
      for (int row = 0; row < num_rows; ++row) {
        numbers.push_back(random() % 9 == 0 ? std::nullopt : std::optional<int64_t>(random() % 3));
        texts.push_back(random() % 9 == 0 ? std::nullopt
                                          : std::optional("a text that is the same " + std::to_string(random() % 50)));
      }
      batches.push_back(batch_of(i / 3, make_longs(numbers), int64_t{1000} * i));
      batches.back().sequence = i % 3;
      batches.back().columns.insert(batches.back().columns.begin() + 1, make_strings(texts));
    }
    return batches;
  }

  /// Returns the numbers of the rows of each part, of a breaker that is complete, read by workers in turns.
  static std::vector<std::string> parts_of(SortSink& sink, int count, size_t num_workers = 1) {
    const auto rows = test::handed_on(sink);
    std::vector<std::string> parts;
    for (int part = 0; part < count; ++part)
      parts.push_back(rows_of_source(*rows->make_source(part, count), num_workers));
    return parts;
  }

  static std::string rows_of_source(Source& source, size_t num_workers) {
    std::vector<std::unique_ptr<State>> states;
    for (size_t i = 0; i < num_workers; ++i) states.push_back(source.make_state());
    std::map<std::pair<int64_t, int64_t>, std::string> batches;  // by morsel and sequence
    int64_t num_morsels = 0;
    while (!states.empty()) {
      for (auto state = states.begin(); state != states.end();) {
        Batch batch;
        const Step step = insist([&] { return source.next(**state, batch); });
        if (step.kind == Step::Kind::Finished) {
          state = states.erase(state);
          continue;
        }
        ++state;
        // One that waits for another's turn can't be waited for.
        if (step.kind == Step::Kind::Suspended) {
          if (num_workers == 1) execution::wait_for(step.event);
          continue;
        }
        num_morsels += batch.ends_morsel;
        std::string& text = batches[{batch.morsel, batch.sequence}];
        for (const std::string& row : columns::test::show(*batch.columns[2])) text += row + " ";
      }
    }
    EXPECT_EQ(num_morsels, source.num_morsels());
    std::string all;
    for (const auto& [place, text] : batches) all += text;
    return all;
  }

  static constexpr int64_t kEnough = int64_t{1} << 30;
  std::vector<plan::SortKey> keys_ = {{1, false, true}, {0, true, false}};
};

TEST_F(SortSpillTest, EqualsASortInMemoryAndItsParts) {
  const std::vector<Batch> rows = batches(40, 300);
  for (const size_t num_workers : {1, 3}) {
    const auto in_memory = sorting(kEnough);
    test::run_by_morsel(*in_memory, rows, num_workers);
    EXPECT_EQ(in_memory->num_finish_tasks(), 0);
    EXPECT_EQ(system_.num_opened, 0);
    for (const int64_t limit : {int64_t{900'000}, int64_t{1'300'000}}) {
      const auto spilling = sorting(limit);
      test::run_by_morsel(*spilling, rows, num_workers);
      EXPECT_EQ(spilling->num_finish_tasks(), 1);
      EXPECT_GT(target_->written_bytes, 20'000);
      EXPECT_LE(budget_->peak_bytes(), limit);
      for (const int count : {1, 2, 7, 300})
        EXPECT_EQ(parts_of(*spilling, count), parts_of(*in_memory, count)) << count;
    }
    EXPECT_EQ(system_.num_open, 0);
    system_.num_opened = 0;
  }
}

// Numbers are packed, of several workers' runs alike; what they tie on comes in the order of its morsels.
TEST_F(SortSpillTest, EqualsASortInMemoryByNumbers) {
  const std::vector<Batch> rows = batches(40, 300);
  for (const auto& keys : {std::vector<plan::SortKey>{{0, true, true}},
                           {{0, false, true}, {2, false, true}},
                           {{2, true, true}},
                           {{0, true, false}, {1, true, true}}}) {
    keys_ = keys;
    const auto in_memory = sorting(kEnough);
    test::run_by_morsel(*in_memory, rows, 3);
    const auto spilling = sorting(900'000);
    test::run_by_morsel(*spilling, rows, 3);
    EXPECT_EQ(spilling->num_finish_tasks(), 1);
    for (const int count : {1, 3}) {
      const std::vector<std::string> expected = parts_of(*in_memory, count);
      for (const size_t num_readers : {1, 2, 4}) EXPECT_EQ(parts_of(*spilling, count, num_readers), expected);
    }
  }
}

TEST_F(SortSpillTest, HasMemoryToPutRowsTogetherThatShareStrings) {
  const ColumnPtr words = make_strings({"a word that many rows have in common", "another word that they share, too"});
  std::vector<Batch> rows = batches(60, 300);
  for (Batch& batch : rows) {
    std::vector<int32_t> chosen;
    for (int32_t i = 0; i < batch.num_rows; ++i) chosen.push_back(i % 2);
    auto indices = memory::Buffer::allocate(batch.num_rows * 4, columns::test::unlimited());
    std::ranges::copy(chosen, indices->mutable_as<int32_t>());
    batch.columns.push_back(columns::Column::dictionary(words, indices, batch.num_rows));
    batch.columns.push_back(columns::gather(*words, chosen, columns::test::unlimited()));
  }
  const auto in_memory = sorting(kEnough);
  test::run_by_morsel(*in_memory, rows, 2);
  const auto spilling = sorting(1'000'000);
  test::run_by_morsel(*spilling, rows, 2);
  EXPECT_GT(target_->written_bytes, 20'000);
  EXPECT_EQ(parts_of(*spilling, 1), parts_of(*in_memory, 1));
}

TEST_F(SortSpillTest, LeavesNeitherMemoryNorFiles) {
  {
    const auto sink = sorting(900'000);
    test::run_by_morsel(*sink, batches(40, 300), 2);
    EXPECT_GT(folders_.used_bytes(), 0);
    const auto rows = test::handed_on(*sink);
    EXPECT_GT(system_.num_open, 0);
  }
  EXPECT_EQ(system_.num_open, 0);
  EXPECT_EQ(folders_.used_bytes(), 0);
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(SortSpillTest, HoldsHardlyMemoryForRowsOnDisk) {
  const auto sink = sorting(10'000'000);
  std::vector<std::unique_ptr<State>> states;
  for (int i = 0; i < 2; ++i) states.push_back(sink->make_state());
  for (const Batch& batch : batches(20, 300)) {
    Batch in = batch;
    sink->consume(*states[static_cast<size_t>(batch.morsel) % 2], in);
  }
  // One worker has ended when rows of the other go to disk.
  sink->combine(*states[0]);
  const int64_t others = budget_->limit_bytes() - budget_->used_bytes() + 1;
  budget_->reserve(others);
  budget_->release(others);
  EXPECT_GT(target_->written_bytes, 0);
  sink->combine(*states[1]);
  sink->finish();
  sink->run_finish_task(0);
  states.clear();
  EXPECT_LT(budget_->used_bytes(), 100'000);
}

TEST_F(SortSpillTest, WritesRowsOfWhichTheLastAreLarge) {
  keys_ = {{0, true, true}, {2, true, true}};
  std::vector<Batch> rows = batches(20, 300);
  for (Batch& batch : rows) {
    std::vector<std::optional<int64_t>> numbers;
    std::vector<std::optional<std::string>> texts;
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      const bool is_large = row % 10 == 7;
      numbers.emplace_back(is_large);
      texts.emplace_back(std::string(is_large ? 4000 : 20, 'x') + std::to_string(row));
    }
    batch.columns[0] = make_longs(numbers);
    batch.columns[1] = make_strings(texts);
  }
  const auto in_memory = sorting(kEnough);
  test::run_by_morsel(*in_memory, rows, 2);
  const auto sink = sorting(kEnough);
  std::vector<std::unique_ptr<State>> states;
  for (int i = 0; i < 2; ++i) states.push_back(sink->make_state());
  for (const Batch& batch : rows) {
    Batch in = batch;
    sink->consume(*states[static_cast<size_t>(batch.morsel) % 2], in);
  }
  // One worker has ended when the other's rows go to disk: its own are written of what it has kept for that.
  sink->combine(*states[0]);
  EXPECT_THROW(budget_->reserve(kEnough), Error);
  sink->combine(*states[1]);
  sink->finish();
  sink->run_finish_task(0);
  EXPECT_EQ(parts_of(*sink, 1), parts_of(*in_memory, 1));
}

TEST_F(SortSpillTest, GivesItsMemoryToOthers) {
  const auto expected = sorting(kEnough);
  const std::vector<Batch> rows = batches(20, 300);
  test::run_by_morsel(*expected, rows, 2);
  const std::vector<std::string> parts = parts_of(*expected, 1);
  const auto sink = sorting(10'000'000);
  std::vector<std::unique_ptr<State>> states;
  for (int i = 0; i < 2; ++i) states.push_back(sink->make_state());
  for (const Batch& batch : rows) {
    Batch in = batch;
    sink->consume(*states[static_cast<size_t>(batch.morsel) % 2], in);
  }
  EXPECT_EQ(target_->written_bytes, 0);
  const int64_t used = budget_->used_bytes();
  budget_->reserve(budget_->limit_bytes() - used / 2);
  EXPECT_GT(target_->written_bytes, 0);
  budget_->release(budget_->limit_bytes() - used / 2);
  for (const auto& state : states) sink->combine(*state);
  sink->finish();
  sink->run_finish_task(0);
  EXPECT_EQ(parts_of(*sink, 1), parts);
}

TEST_F(SortSpillTest, GoesToAnotherFolderWhereOneIsFull) {
  system_.folders["/a"].room_bytes = 1000;
  const std::vector<Batch> rows = batches(40, 300);
  const auto in_memory = sorting(kEnough);
  test::run_by_morsel(*in_memory, rows, 2);
  const auto sink = sorting(900'000);
  test::run_by_morsel(*sink, rows, 2);
  EXPECT_EQ(parts_of(*sink, 1), parts_of(*in_memory, 1));
}

/// Returns what a sort fails with.
template <class Call>
Error failure_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::Internal, "nothing"};
}

TEST_F(SortSpillTest, FailsByNameWhereNoFolderHasRoom) {
  system_.folders["/a"].room_bytes = 1000;
  system_.folders["/b"].open_error = ENOENT;
  const auto sink = sorting(900'000);
  const Error failure = failure_of([&] { test::run_by_morsel(*sink, batches(40, 300), 2); });
  EXPECT_EQ(failure.error_class(), memory::kOutOfBudget);
  EXPECT_TRUE(failure.message().starts_with(
      "out of memory: Sort (plan node 3) has to spill and can't: /a: No space left on device; "
      "/b: No such file or directory; "))
      << failure.message();
}

TEST_F(SortSpillTest, FailsByNameAtTheLimitAndLeavesNoFolderAloneForIt) {
  folders_.configure({.folders = {"/a", "/b"}, .limit_bytes = 5000});
  const Error failure = failure_of([&] { test::run_by_morsel(*sorting(900'000), batches(40, 300), 2); });
  EXPECT_EQ(failure.error_class(), memory::kOutOfBudget);
  EXPECT_EQ(failure.message(),
            "out of memory: Sort (plan node 3) has to spill and can't: spill files have reached the limit of 4.9 KiB "
            "(spark.accelerant.spill.limit)");
  EXPECT_NO_THROW(folders_.check("Sort"));
  EXPECT_EQ(folders_.used_bytes(), 0);
}

// Who lacks memory may be of another query, and go on when this one is gone.
TEST_F(SortSpillTest, GivesItsMemoryToOthersThoughItIsCancelled) {
  execution::Cancellation cancellation;
  const auto sink = sorting(10'000'000, cancellation);
  const auto state = sink->make_state();
  for (const Batch& batch : batches(20, 300)) {
    Batch in = batch;
    sink->consume(*state, in);
  }
  cancellation.cancel();
  const int64_t others = budget_->limit_bytes() - budget_->used_bytes() / 2;
  budget_->reserve(others);
  budget_->release(others);
  EXPECT_GT(target_->written_bytes, 0);
}

TEST_F(SortSpillTest, FailsByNameWhereAFileIsNotWhatWasWritten) {
  const auto sink = sorting(900'000);
  test::run_by_morsel(*sink, batches(40, 300), 2);
  for (const char* folder : {"/a", "/b"}) system_.folders[folder].flipped_byte = 5000;
  const Error failure = failure_of([&] { parts_of(*sink, 1); });
  EXPECT_TRUE(failure.message().starts_with("Sort (plan node 3) can't read its spill file in /")) << failure.message();
}

TEST_F(SortSpillTest, StopsWhereTheQueryIsCancelled) {
  execution::Cancellation cancellation;
  auto sink = sorting(900'000, cancellation);
  test::run_by_morsel(*sink, batches(40, 300), 2);
  cancellation.cancel();
  EXPECT_EQ(failure_of([&] { parts_of(*sink, 1); }).kind(), ErrorKind::Cancelled);
  sink.reset();
  EXPECT_EQ(system_.num_open, 0);
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(SortSpillTest, SortsWithManyThreadsThatLackMemory) {
  const std::vector<Batch> rows = batches(120, 300);
  const auto in_memory = sorting(kEnough);
  test::run_by_morsel(*in_memory, rows, 2);
  const auto sink = sorting(2'000'000);
  test::run_in_threads(*sink, rows, 4);
  sink->finish();
  ASSERT_EQ(sink->num_finish_tasks(), 1);
  sink->run_finish_task(0);
  EXPECT_EQ(parts_of(*sink, 3), parts_of(*in_memory, 3));
}

}  // namespace
}  // namespace accelerant::operators
