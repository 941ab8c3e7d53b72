#include "operators/aggregate_spill.h"

#include "base/error.h"
#include "operators/aggregate.h"
#include "operators/test_breakers.h"
#include "operators/test_spilling.h"
#include "spill/mapped_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <iterator>
#include <random>
#include <set>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_array;
using columns::test::make_longs;
using columns::test::make_strings;
using test::insist;
using test::insist_to_end;
using types::DataType;
using types::TypeId;

const execution::Cancellation kNever;
const DataType kLong(TypeId::Long);
const DataType kText(TypeId::String);
const DataType kLongs = DataType::array(kLong, true);

plan::AggregateCall distinct(plan::AggregateCall call) {
  call.distinct = true;
  return call;
}

using Nothing = std::vector<std::string>;

/// An aggregate by a text, with states of many kinds over a number and a text.
class AggregateSpillTest : public test::SpillingTest {
 protected:
  std::unique_ptr<AggregateSink> grouping(int64_t limit_bytes, const execution::Cancellation& cancellation = kNever) {
    make_target(limit_bytes);
    return std::make_unique<AggregateSink>(aggregate(), context(cancellation), target_);
  }

  void make_target(int64_t limit_bytes) {
    budget_ = std::make_shared<memory::Budget>("test", limit_bytes);
    target_ = std::make_shared<spill::SpillTarget>("Aggregate (plan node 3)", budget_, folders_, threads_);
  }

  execution::OperatorContext context(const execution::Cancellation& cancellation = kNever) {
    return {budget_, &cancellation, &metrics_, 3, 64};
  }

  std::shared_ptr<const plan::Aggregate> aggregate() const {
    auto node = std::make_shared<plan::Aggregate>();
    expressions::ProgramBuilder builder;
    const expressions::Slot slots[] = {builder.input(0, kText, true), builder.input(1, kLong, true),
                                       builder.input(2, kText, true), builder.input(3, kLongs, true)};
    node->input = std::move(builder).finish(slots);
    node->keys = {{"key", kText}};
    node->calls = {plan::aggregate_call("count", {}, {}, kLong),
                   plan::aggregate_call("sum", {1}, {kLong}, kLong),
                   plan::aggregate_call("max", {2}, {kText}, kText),
                   plan::aggregate_call("first", {2}, {kText}, kText),
                   plan::aggregate_call("max_by", {2, 1}, {kText, kLong}, kText),
                   plan::aggregate_call("min", {3}, {kLongs}, kLongs),
                   plan::aggregate_call("first", {3}, {kLongs}, kLongs),
                   plan::aggregate_call("max_by", {1, 3}, {kLong, kLongs}, kLong)};
    if (holds_rows_) {
      node->calls.push_back(distinct(plan::aggregate_call("count", {1}, {kLong}, kLong)));
      node->calls.push_back(distinct(plan::aggregate_call("sum", {1}, {kLong}, kLong)));
      node->calls.push_back(plan::aggregate_call("collect_list", {1}, {kLong}, DataType::array(kLong, false)));
      node->calls.push_back(distinct(plan::aggregate_call("count", {2}, {kText}, kLong)));
      node->calls.push_back(plan::aggregate_call("collect_list", {2}, {kText}, DataType::array(kText, false)));
    }
    return node;
  }

  /// Makes batches in which keys come again in others.
  static std::vector<Batch> batches(int num_batches, int num_rows, uint64_t num_keys) {
    std::mt19937_64 random(7);
    std::vector<Batch> batches;
    for (int i = 0; i < num_batches; ++i) {
      std::vector<std::optional<std::string>> keys;
      std::vector<std::optional<int64_t>> numbers;
      std::vector<std::optional<std::string>> texts;
      std::vector<int> lengths;
      std::vector<std::optional<int64_t>> elements;
      for (int row = 0; row < num_rows; ++row) {
        const uint64_t key = random() % num_keys;
        keys.push_back(key == 0 ? std::nullopt : std::optional("the key of a group " + std::to_string(key)));
        numbers.push_back(random() % 9 == 0 ? std::nullopt : std::optional<int64_t>(random() % 5));
        texts.push_back(random() % 9 == 0 ? std::nullopt
                                          : std::optional("a text that is the same " + std::to_string(random() % 50)));
        lengths.push_back(static_cast<int>(random() % 4) - 1);
        for (int left = lengths.back(); left > 0; --left) elements.emplace_back(random() % 5);
      }
      batches.emplace_back();
      batches.back().morsel = i / 3;
      batches.back().sequence = i % 3;
      batches.back().num_rows = num_rows;
      batches.back().columns = {make_strings(keys), make_longs(numbers), make_strings(texts),
                                make_array(make_longs(elements), lengths)};
    }
    return batches;
  }

  static void finish(AggregateSink& sink) {
    insist_to_end([&] { return sink.finish(); });
    for (int64_t task = 0; task < sink.num_finish_tasks(); ++task) insist([&] { return sink.run_finish_task(task); });
  }

  /// Has all go to disk: somebody else takes more memory than is free.
  void lack_memory() {
    const int64_t others = budget_->limit_bytes() - budget_->used_bytes() / 2;
    budget_->reserve(others);
    budget_->release(others);
  }

  /// Adds rows to a sink, batches in turns to two workers, and calls `after` with the place of each.
  static void consume(AggregateSink& sink, const std::vector<Batch>& rows, const std::function<void(size_t)>& after) {
    const std::unique_ptr<State> states[] = {sink.make_state(), sink.make_state()};
    for (size_t i = 0; i < rows.size(); ++i) {
      Batch in = rows[i];
      sink.consume(*states[static_cast<size_t>(in.morsel) % 2], in);
      after(i);
    }
    for (const auto& state : states) sink.combine(*state);
    finish(sink);
  }

  /// Returns the groups of a part of the result, as texts.
  static std::multiset<std::string> groups_of(AggregateSink& sink, int index = 0, int count = 1) {
    std::multiset<std::string> groups;
    const auto source = test::handed_on(sink)->make_source(index, count);
    const auto state = source->make_state();
    int64_t num_morsels = 0;
    Batch batch;
    while (insist_to_end([&] { return source->next(*state, batch); }).kind == Step::Kind::HasOutput) {
      num_morsels += batch.ends_morsel;
      note(batch, groups);
    }
    EXPECT_EQ(num_morsels, source->num_morsels());
    return groups;
  }

  /// Adds the rows of a batch as texts.
  static void note(const Batch& batch, std::multiset<std::string>& groups) {
    EXPECT_GT(batch.columns.size(), 8u);
    std::vector<std::string> rows(static_cast<size_t>(batch.num_rows));
    for (const auto& column : batch.columns) {
      const std::vector<std::string> shown = columns::test::show(*column);
      for (size_t row = 0; row < rows.size(); ++row) rows[row] += shown[row] + " ";
    }
    groups.insert(rows.begin(), rows.end());
  }

  /// Returns the groups that only one of two has.
  static std::vector<std::string> differences(const std::multiset<std::string>& one,
                                              const std::multiset<std::string>& other) {
    std::vector<std::string> found;
    std::ranges::set_symmetric_difference(one, other, std::back_inserter(found));
    return found;
  }

  static constexpr int64_t kEnough = int64_t{1} << 30;

  bool holds_rows_ = true;
};

TEST_F(AggregateSpillTest, EqualsAnAggregateInMemoryAndItsParts) {
  for (const bool holds_rows : {false, true}) {
    holds_rows_ = holds_rows;
    const std::vector<Batch> rows = holds_rows ? batches(20, 150, 1200) : batches(40, 300, 10'000);
    const size_t num_workers = holds_rows ? 3 : 2;
    const auto in_memory = grouping(kEnough);
    test::run_by_morsel(*in_memory, rows, num_workers);
    EXPECT_EQ(system_.num_open, 0);
    std::vector<std::multiset<std::string>> parts;
    for (int part = 0; part < 3; ++part) parts.push_back(groups_of(*in_memory, part, 3));
    const int64_t limit = (holds_rows ? 1'000'000 : 700'000) + static_cast<int64_t>(num_workers) * 500'000;
    const auto spilling = grouping(limit);
    test::run_by_morsel(*spilling, rows, num_workers);
    EXPECT_GT(target_->written_bytes, 20'000);
    EXPECT_LE(budget_->peak_bytes(), limit);
    std::multiset<std::string> all;
    for (int part = 0; part < 3; ++part) {
      EXPECT_EQ(differences(groups_of(*spilling, part, 3), parts[static_cast<size_t>(part)]), Nothing());
      all.merge(parts[static_cast<size_t>(part)]);
    }
    EXPECT_EQ(differences(groups_of(*spilling), all), Nothing());
  }
  EXPECT_EQ(system_.num_open, 0);
}

TEST_F(AggregateSpillTest, ReadsGroupsInPiecesWhereMemoryIsShort) {
  const std::vector<Batch> rows = batches(40, 300, 1 << 30);
  const auto in_memory = grouping(kEnough);
  test::run_by_morsel(*in_memory, rows, 1);
  const auto spilling = grouping(4'000'000);
  test::run_by_morsel(*spilling, rows, 1);
  const int64_t others = budget_->limit_bytes() - budget_->used_bytes() - 900'000;
  budget_->reserve(others);
  EXPECT_EQ(differences(groups_of(*spilling), groups_of(*in_memory)), Nothing());
  budget_->release(others);
}

TEST_F(AggregateSpillTest, GivesColumnsOfPartitionsWithoutGroups) {
  const std::vector<Batch> rows = batches(3, 50, 3);
  const auto in_memory = grouping(kEnough);
  test::run_by_morsel(*in_memory, rows, 1);
  const auto spilling = grouping(kEnough);
  auto state = spilling->make_state();
  for (Batch batch : rows) spilling->consume(*state, batch);
  EXPECT_THROW(budget_->reserve(kEnough), Error);
  EXPECT_GT(target_->written_bytes, 0);
  spilling->combine(*state);
  state.reset();
  finish(*spilling);
  EXPECT_EQ(differences(groups_of(*spilling), groups_of(*in_memory)), Nothing());
}

TEST_F(AggregateSpillTest, LeavesNeitherMemoryNorFiles) {
  {
    const auto sink = grouping(2'000'000);
    test::run_by_morsel(*sink, batches(30, 200, 2000), 2);
    EXPECT_GT(folders_.used_bytes(), 0);
    EXPECT_LT(budget_->used_bytes(), 100'000);
    const auto rows = test::handed_on(*sink);
    EXPECT_GT(system_.num_open, 0);
  }
  EXPECT_EQ(system_.num_open, 0);
  EXPECT_EQ(folders_.used_bytes(), 0);
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(AggregateSpillTest, GivesItsMemoryToOthers) {
  const std::vector<Batch> rows = batches(30, 200, 2000);
  const auto in_memory = grouping(kEnough);
  test::run_by_morsel(*in_memory, rows, 2);
  const auto sink = grouping(30'000'000);
  consume(*sink, rows, [&](size_t i) {
    if (i != rows.size() / 2) return;
    EXPECT_EQ(target_->written_bytes, 0);
    lack_memory();
    EXPECT_GT(target_->written_bytes, 0);
  });
  EXPECT_EQ(differences(groups_of(*sink), groups_of(*in_memory)), Nothing());
}

TEST_F(AggregateSpillTest, MergesRowsThatPassWithGroupsBeforeThemAndBehind) {
  holds_rows_ = false;
  std::vector<Batch> rows = batches(40, 300, 1 << 30);
  const std::vector<Batch> same_keys = rows;
  rows.insert(rows.end(), same_keys.begin(), same_keys.end());
  rows[50].selection = std::make_shared<const std::vector<int32_t>>(std::vector<int32_t>{0, 7, 299});
  for (size_t i = 0; i < rows.size(); ++i) rows[i].morsel = static_cast<int64_t>(i);
  const auto in_memory = grouping(kEnough);
  test::run_by_morsel(*in_memory, rows, 2);
  const auto sink = grouping(30'000'000);
  consume(*sink, rows, [&](size_t i) {
    if (i % 20 == 10) lack_memory();
  });
  EXPECT_EQ(differences(groups_of(*sink), groups_of(*in_memory)), Nothing());
}

TEST_F(AggregateSpillTest, WritesRowsThatPassEachByItself) {
  holds_rows_ = false;
  // Rows of one key behind others, which have one each, or few: a group each, or one group.
  for (const auto& [num_keys, is_each] : {std::pair(1 << 30, true), std::pair(5, false)}) {
    std::vector<Batch> rows = batches(11, 300, static_cast<uint64_t>(num_keys));
    rows[10] = batches(1, 300, 1).front();
    for (Batch& batch : rows) batch.morsel = 0;
    const auto in_memory = grouping(kEnough);
    test::run_by_morsel(*in_memory, rows, 1);
    const auto sink = grouping(30'000'000);
    int64_t num_bytes = 0;
    consume(*sink, rows, [&](size_t i) {
      if (i == 9) lack_memory();
      if (i == 9) num_bytes = target_->written_bytes;
    });
    EXPECT_EQ(target_->written_bytes - num_bytes > 300 * 60, is_each);
    EXPECT_EQ(differences(groups_of(*sink), groups_of(*in_memory)), Nothing());
  }
}

TEST_F(AggregateSpillTest, PassesRowsOnlyWhereGroupsHardlyMerge) {
  // Rows that ten groups had, and whether further ones pass.
  const std::pair<int64_t, bool> cases[] = {{10, true}, {11, true}, {12, false}, {50, false}};
  for (const bool holds_rows : {false, true}) {
    holds_rows_ = holds_rows;
    for (const auto& [num_rows, passes] : cases) {
      make_target(kEnough);
      const auto node = aggregate();
      AggregateSpill spill(node, std::make_shared<GroupedStates>(node, context()), context(), target_);
      const auto worker = spill.add_worker(true);
      spill.with_groups(*worker, [&, added = num_rows](GroupSet& groups, int64_t) {
        KeyEncoder encoder({kText}, budget_);
        const columns::ColumnPtr keys[] = {make_strings({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"})};
        encoder.encode(keys, 10);
        for (int64_t i = 0; i < 10; ++i) groups.table.find_or_insert(encoder.key(i), GroupTable::hash(encoder.key(i)));
        groups.num_rows = added;
        groups.resize();
      });
      spill.settle(*worker);
      const Batch more = batches(1, 20, 100).front();
      EXPECT_FALSE(spill.try_to_pass(*worker, more));
      spill.reclaim();
      EXPECT_EQ(spill.try_to_pass(*worker, more), passes && !holds_rows) << num_rows;
      spill.leave(*worker);
    }
  }
}

// Who lacks memory may be of another query, and go on when this one is gone.
TEST_F(AggregateSpillTest, GivesItsMemoryToOthersThoughItIsCancelled) {
  execution::Cancellation cancellation;
  holds_rows_ = false;
  const auto sink = grouping(30'000'000, cancellation);
  auto state = sink->make_state();
  for (const Batch& batch : batches(30, 200, 2000)) {
    Batch in = batch;
    sink->consume(*state, in);
  }
  cancellation.cancel();
  lack_memory();
  EXPECT_GT(target_->written_bytes, 0);
  state.reset();
  budget_->reserve(budget_->limit_bytes());
  budget_->release(budget_->limit_bytes());
}

TEST_F(AggregateSpillTest, GoesToAnotherFolderWhereOneIsFull) {
  system_.folders["/a"].room_bytes = 1000;
  const std::vector<Batch> rows = batches(30, 200, 2000);
  const auto in_memory = grouping(kEnough);
  test::run_by_morsel(*in_memory, rows, 2);
  const auto sink = grouping(2'000'000);
  test::run_by_morsel(*sink, rows, 2);
  EXPECT_EQ(differences(groups_of(*sink), groups_of(*in_memory)), Nothing());
}

/// Returns what an aggregate fails with.
template <class Call>
Error failure_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::Internal, "nothing"};
}

TEST_F(AggregateSpillTest, FailsByNameWhereNoFolderHasRoom) {
  system_.folders["/a"].room_bytes = 1000;
  system_.folders["/b"].open_error = ENOENT;
  const auto sink = grouping(2'000'000);
  const Error failure = failure_of([&] { test::run_by_morsel(*sink, batches(30, 200, 2000), 2); });
  EXPECT_EQ(failure.error_class(), memory::kOutOfBudget);
  EXPECT_TRUE(failure.message().starts_with(
      "out of memory: Aggregate (plan node 3) has to spill and can't: /a: No space left on device; "
      "/b: No such file or directory; "))
      << failure.message();
}

TEST_F(AggregateSpillTest, HasWhatItCantWriteLieOnDisk) {
  spill::MappedMemory mapped(folders_);
  const std::vector<Batch> rows = batches(6, 200, 300);
  const auto in_memory = grouping(kEnough);
  test::run_by_morsel(*in_memory, rows, 2);
  // Too little for a batch, and for the groups of any key.
  const auto sink = grouping(10'000);
  budget_->set_disk_memory(&mapped);
  test::run_by_morsel(*sink, rows, 2);
  EXPECT_EQ(differences(groups_of(*sink), groups_of(*in_memory)), Nothing());
  EXPECT_GT(budget_->on_disk_bytes(), 0);
  EXPECT_LE(budget_->peak_bytes(), budget_->limit_bytes());
}

TEST_F(AggregateSpillTest, FailsByNameWhereMemoryOnDiskIsNone) {
  spill::MappedMemory mapped(folders_);
  system_.folders["/a"].room_bytes = 1000;
  system_.folders["/b"].open_error = ENOENT;
  const auto sink = grouping(10'000);
  budget_->set_disk_memory(&mapped);
  const Error failure = failure_of([&] { test::run_by_morsel(*sink, batches(30, 200, 2000), 2); });
  EXPECT_EQ(failure.error_class(), memory::kOutOfBudget);
  EXPECT_NE(failure.message().find("has to spill and can't: /a: No space left on device"), std::string::npos)
      << failure.message();
}

TEST_F(AggregateSpillTest, FailsByNameWhereAFileIsNotWhatWasWritten) {
  const auto sink = grouping(2'000'000);
  test::run_by_morsel(*sink, batches(30, 200, 2000), 2);
  for (const char* folder : {"/a", "/b"}) system_.folders[folder].flipped_byte = 5000;
  const Error failure = failure_of([&] { groups_of(*sink); });
  EXPECT_TRUE(failure.message().starts_with("Aggregate (plan node 3) can't read its spill file in /"))
      << failure.message();
}

TEST_F(AggregateSpillTest, StopsWhereTheQueryIsCancelled) {
  execution::Cancellation cancellation;
  auto sink = grouping(2'000'000, cancellation);
  test::run_by_morsel(*sink, batches(30, 200, 2000), 2);
  cancellation.cancel();
  EXPECT_EQ(failure_of([&] { groups_of(*sink); }).kind(), ErrorKind::Cancelled);
  sink.reset();
  EXPECT_EQ(system_.num_open, 0);
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(AggregateSpillTest, GroupsWithManyThreadsThatLackMemory) {
  const std::vector<Batch> rows = batches(120, 100, 2000);
  const auto in_memory = grouping(kEnough);
  test::run_by_morsel(*in_memory, rows, 2);
  const auto sink = grouping(4'000'000);
  test::run_in_threads(*sink, rows, 4);
  finish(*sink);
  EXPECT_GT(target_->written_bytes, 0);
  EXPECT_EQ(differences(groups_of(*sink), groups_of(*in_memory)), Nothing());
}

}  // namespace
}  // namespace accelerant::operators
