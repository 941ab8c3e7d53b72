#include "operators/grouping_sets.h"

#include "base/error.h"
#include "operators/test_breakers.h"
#include "operators/test_spilling.h"
#include "plan/expand.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;
using columns::test::make_longs;
using columns::test::make_strings;
using columns::test::unlimited;
using test::insist;
using test::insist_to_end;
using types::DataType;
using types::TypeId;

const execution::Cancellation kNever;
const DataType kLong(TypeId::Long);
const DataType kText(TypeId::String);
constexpr int64_t kEnough = int64_t{1} << 30;

ColumnPtr constant(int64_t number) { return make_longs({number}); }

/// An aggregate by a number, a text and the number of the projection, of which the first rows have no text, the second
/// no number, and the third neither.
class GroupingSetsTest : public test::SpillingTest {
 protected:
  /// Over the columns [number, text, projection, argument], by some of the first three.
  static std::shared_ptr<const plan::Aggregate> grouped(const std::vector<int>& keys) {
    auto node = std::make_shared<plan::Aggregate>();
    expressions::ProgramBuilder builder;
    std::vector<expressions::Slot> slots;
    const std::vector<DataType> types = {kLong, kText, kLong};
    for (const int key : keys) {
      const DataType& type = types[static_cast<size_t>(key)];
      slots.push_back(builder.input(key, type, true));
      node->keys.push_back({"key", type});
    }
    slots.push_back(builder.input(3, kLong, true));
    node->input = std::move(builder).finish(slots);
    auto expand = std::make_shared<plan::Expand>();
    expand->in_row_order = false;
    expand->projections.resize(3);
    node->inputs = {expand};
    const auto argument = static_cast<int>(keys.size());
    node->calls = {plan::aggregate_call("count", {}, {}, kLong),
                   plan::aggregate_call("sum", {argument}, {kLong}, kLong),
                   plan::aggregate_call("first", {argument}, {kLong}, kLong)};
    return node;
  }

  std::unique_ptr<GroupingSetsSink> apart(int64_t limit_bytes) {
    const ColumnPtr no_number = make_longs({std::nullopt});
    const ColumnPtr no_text = make_strings({std::nullopt});
    GroupingSets parts{2,
                       {{grouped({0}), 1, {nullptr, no_text, constant(1)}},
                        {grouped({1}), 2, {no_number, nullptr, constant(2)}},
                        {grouped({2}), 3, {no_number, no_text, nullptr}}}};
    return std::make_unique<GroupingSetsSink>(
        grouped({0, 1, 2}), std::make_shared<const GroupingSets>(std::move(parts)), context(limit_bytes), target_);
  }

  /// Of rows by number and text, by number, and all together.
  std::unique_ptr<GroupingSetsSink> rolled_up(int64_t limit_bytes) {
    const ColumnPtr no_number = make_longs({std::nullopt});
    const ColumnPtr no_text = make_strings({std::nullopt});
    GroupingSets parts{2,
                       {{grouped({0, 1}), 1, {nullptr, nullptr, constant(1)}},
                        {grouped({0}), 2, {nullptr, no_text, constant(2)}, 0},
                        {grouped({2}), 3, {no_number, no_text, nullptr}}}};
    return std::make_unique<GroupingSetsSink>(
        grouped({0, 1, 2}), std::make_shared<const GroupingSets>(std::move(parts)), context(limit_bytes), target_);
  }

  std::unique_ptr<AggregateSink> together() {
    return std::make_unique<AggregateSink>(grouped({0, 1, 2}), context(kEnough), target_);
  }

  execution::OperatorContext context(int64_t limit_bytes) {
    budget_ = std::make_shared<memory::Budget>("test", limit_bytes);
    target_ = std::make_shared<spill::SpillTarget>("Aggregate (plan node 3)", budget_, folders_, threads_);
    return {budget_, &kNever, &metrics_, 3, 64};
  }

  /// Makes what an expansion gives of rows: a batch of each projection, one after the other.
  static std::vector<Batch> expanded(int num_batches, int num_rows, uint64_t num_keys) {
    std::mt19937_64 random(7);
    std::vector<Batch> batches;
    for (int i = 0; i < num_batches * 3; ++i) {
      std::vector<std::optional<int64_t>> numbers, arguments;
      std::vector<std::optional<std::string>> texts;
      for (int row = 0; row < num_rows; ++row) {
        const auto key = static_cast<int64_t>(random() % num_keys);
        numbers.push_back(key == 0 ? std::nullopt : std::optional(key));
        texts.push_back(key == 1 ? std::nullopt : std::optional("a text that is a key " + std::to_string(key % 100)));
        arguments.push_back(static_cast<int64_t>(random() % 1000));
      }
      Batch batch;
      batch.morsel = batch.morsels_before = i / 9;
      batch.morsels_before = 0;
      batch.sequence = i % 9;
      batch.num_rows = num_rows;
      const auto none = [&](const DataType& type) { return Column::nulls(type, num_rows, unlimited()); };
      batch.columns = {i % 3 == 0 ? make_longs(numbers) : none(kLong), i % 3 == 1 ? make_strings(texts) : none(kText),
                       Column::constant(constant(i % 3 + 1), num_rows), make_longs(arguments)};
      batches.push_back(std::move(batch));
    }
    return batches;
  }

  /// Makes what a rollup's expansion gives of rows: three batches of the same rows, with fewer keys each.
  /// @param is_sparse whether some of the rows are not selected
  static std::vector<Batch> rolled_up_rows(int num_batches, int num_rows, uint64_t num_keys, bool is_sparse = false) {
    std::vector<Batch> batches;
    std::mt19937_64 random(11);
    columns::Selection selection;
    if (is_sparse) {
      std::vector<int32_t> rows;
      for (int32_t row = 0; row < num_rows; ++row) {
        if (row % 7 != 3) rows.push_back(row);
      }
      selection = std::make_shared<const std::vector<int32_t>>(std::move(rows));
    }
    for (int i = 0; i < num_batches; ++i) {
      std::vector<std::optional<int64_t>> numbers, arguments;
      std::vector<std::optional<std::string>> texts;
      for (int row = 0; row < num_rows; ++row) {
        const auto key = static_cast<int64_t>(random() % num_keys);
        numbers.push_back(key % 50 == 0 ? std::nullopt : std::optional(key / 3));
        texts.push_back(key % 30 == 1 ? std::nullopt : std::optional("text " + std::to_string(key % 4)));
        arguments.push_back(static_cast<int64_t>(random() % 1000));
      }
      add_rolled_up(batches, i, {make_longs(numbers), make_strings(texts), make_longs(arguments)});
      for (size_t set = 0; set < 3; ++set) batches[batches.size() - 1 - set].selection = selection;
    }
    return batches;
  }

  /// Adds the batches of some rows: a number, a text, an argument.
  static void add_rolled_up(std::vector<Batch>& batches, int i, const std::vector<ColumnPtr>& columns) {
    const int64_t num_rows = columns[0]->length();
    for (int set = 0; set < 3; ++set) {
      Batch batch;
      batch.morsel = i / 4;
      batch.morsels_before = 0;
      batch.sequence = i % 4 * 3 + set;
      batch.num_rows = num_rows;
      batch.columns = {set < 2 ? columns[0] : Column::nulls(kLong, num_rows, unlimited()),
                       set < 1 ? columns[1] : Column::nulls(kText, num_rows, unlimited()),
                       Column::constant(constant(set + 1), num_rows), columns[2]};
      batches.push_back(std::move(batch));
    }
  }

  /// Returns the groups as texts, in the order in which they come.
  static std::vector<std::string> groups_of(Breaker& sink, int index = 0, int count = 1) {
    std::vector<std::string> groups;
    const auto source = test::handed_on(sink)->make_source(index, count);
    const auto state = source->make_state();
    int64_t num_morsels = 0;
    Batch batch;
    while (insist_to_end([&] { return source->next(*state, batch); }).kind == Step::Kind::HasOutput) {
      EXPECT_EQ(batch.morsel, num_morsels);
      num_morsels += batch.ends_morsel;
      EXPECT_EQ(batch.columns.size(), 6u);
      const size_t first = groups.size();
      groups.resize(first + static_cast<size_t>(batch.num_rows));
      for (const auto& column : batch.columns) {
        const std::vector<std::string> shown = columns::test::show(*column);
        for (size_t row = 0; row < shown.size(); ++row) groups[first + row] += shown[row] + " ";
      }
    }
    EXPECT_EQ(num_morsels, source->num_morsels());
    return groups;
  }

  static std::vector<std::string> sorted(std::vector<std::string> groups) {
    std::ranges::sort(groups);
    return groups;
  }
};

TEST_F(GroupingSetsTest, GivesFewGroupsInTheOrderOfAllTogether) {
  const std::vector<Batch> rows = expanded(20, 50, 40);
  for (const size_t num_workers : {1, 3}) {
    const auto all = together();
    test::run_by_morsel(*all, rows, num_workers);
    const std::vector<std::string> expected = groups_of(*all);
    EXPECT_EQ(expected.size(), 81u);
    const auto parts = apart(kEnough);
    test::run_by_morsel(*parts, rows, num_workers);
    EXPECT_EQ(groups_of(*parts), expected);
  }
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(GroupingSetsTest, RollsUpFewGroupsInTheOrderOfAllTogether) {
  for (const bool is_sparse : {false, true}) {
    const std::vector<Batch> rows = rolled_up_rows(20, 200, 400, is_sparse);
    for (const size_t num_workers : {1, 3}) {
      const auto all = together();
      test::run_by_morsel(*all, rows, num_workers);
      const auto parts = rolled_up(kEnough);
      test::run_by_morsel(*parts, rows, num_workers);
      EXPECT_EQ(groups_of(*parts), groups_of(*all));
    }
  }
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(GroupingSetsTest, RollsUpManyGroupsAlsoWhereMemoryIsShort) {
  const std::vector<Batch> rows = rolled_up_rows(60, 300, 1 << 14);
  const auto all = together();
  test::run_by_morsel(*all, rows, 2);
  const std::vector<std::string> expected = sorted(groups_of(*all));
  EXPECT_GT(expected.size(), size_t{GroupOrder::kMostGroups});
  for (const int64_t limit : {kEnough, int64_t{2'500'000}}) {
    const auto parts = rolled_up(limit);
    test::run_by_morsel(*parts, rows, 2);
    EXPECT_EQ(target_->written_bytes > 0, limit != kEnough);
    EXPECT_EQ(sorted(groups_of(*parts)), expected);
  }
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(GroupingSetsTest, FindsGroupsOfASetByThoseOfAFinerOneOfTheSameRows) {
  std::vector<Batch> rows;
  const auto add = [&](int64_t number) {
    const std::vector<std::optional<int64_t>> numbers(8, number);
    const std::vector<std::optional<std::string>> texts(8, "a");
    add_rolled_up(rows, static_cast<int>(rows.size() / 3),
                  {make_longs(numbers), make_strings(texts), make_longs(numbers)});
  };
  add(1);
  add(1);
  // No rows are like these: that these keys are not looked up shows whose groups they have.
  rows[4].columns[0] = make_longs(std::vector<std::optional<int64_t>>(8, 5));
  const auto second_set = [&] {
    const auto parts = rolled_up(kEnough);
    test::run_by_morsel(*parts, rows, 1);
    return groups_of(*parts)[1];
  };
  EXPECT_EQ(second_set(), "1 null 2 16 16 1 ");
  rows[4].sequence += 3;
  EXPECT_EQ(second_set(), "1 null 2 8 8 1 ");
}

TEST_F(GroupingSetsTest, GivesManyGroupsInPartsOfTheResult) {
  const std::vector<Batch> rows = expanded(60, 300, 1 << 30);
  const auto all = together();
  test::run_by_morsel(*all, rows, 2);
  const std::vector<std::string> expected = sorted(groups_of(*all));
  const auto parts = apart(kEnough);
  test::run_by_morsel(*parts, rows, 2);
  EXPECT_EQ(sorted(groups_of(*parts)), expected);
  std::vector<std::string> found;
  for (int part = 0; part < 3; ++part) std::ranges::copy(groups_of(*parts, part, 3), std::back_inserter(found));
  EXPECT_EQ(sorted(found), expected);
}

TEST_F(GroupingSetsTest, WritesGroupsWhereMemoryIsShort) {
  const std::vector<Batch> rows = expanded(60, 300, 1 << 30);
  const auto all = together();
  test::run_by_morsel(*all, rows, 2);
  const std::vector<std::string> expected = sorted(groups_of(*all));
  {
    const auto parts = apart(2'500'000);
    test::run_by_morsel(*parts, rows, 2);
    EXPECT_GT(target_->written_bytes, 20'000);
    EXPECT_LE(budget_->peak_bytes(), budget_->limit_bytes());
    EXPECT_EQ(sorted(groups_of(*parts)), expected);
  }
  EXPECT_EQ(system_.num_open, 0);
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(GroupingSetsTest, WritesTheFewGroupsOfASetForOthers) {
  const std::vector<Batch> rows = expanded(3, 50, 1000);
  const auto all = together();
  test::run_by_morsel(*all, rows, 1);
  const auto parts = apart(kEnough);
  std::unique_ptr<State> state = parts->make_state();
  for (Batch batch : rows) parts->consume(*state, batch);
  EXPECT_THROW(budget_->reserve(kEnough), Error);
  EXPECT_GT(target_->written_bytes, 0);
  parts->combine(*state);
  state.reset();
  parts->finish();
  EXPECT_EQ(sorted(groups_of(*parts)), sorted(groups_of(*all)));
}

TEST_F(GroupingSetsTest, RaisesErrorsOfBatchesWithoutRows) {
  const auto parts = apart(kEnough);
  const auto state = parts->make_state();
  Batch batch = expanded(1, 0, 1).front();
  batch.errors.push_back({0, 1, 1, -1, nullptr});
  EXPECT_THROW(parts->consume(*state, batch), Error);
}

TEST_F(GroupingSetsTest, GivesNoGroupWhereNoRowCame) {
  const auto parts = apart(kEnough);
  test::run_by_morsel(*parts, expanded(1, 0, 1), 2);
  EXPECT_EQ(groups_of(*parts), std::vector<std::string>());
}

}  // namespace
}  // namespace accelerant::operators
