#include "operators/group_finder.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <map>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using columns::test::make_strings;
using columns::test::unlimited;

const types::DataType kLong(types::TypeId::Long);
const types::DataType kString(types::TypeId::String);

using Key = std::optional<int64_t>;

/// Numbers distinct keys of the selected rows from 1 on; 0 stands for the others.
std::vector<int32_t> numbered(const std::vector<Key>& keys, const Batch& batch) {
  std::map<Key, int32_t> groups;
  std::vector<int32_t> numbers(keys.size(), 0);
  const auto number = [&](size_t row) {
    numbers[row] = groups.emplace(keys[row], static_cast<int32_t>(groups.size()) + 1).first->second;
  };
  for (size_t row = 0; row < keys.size() && !batch.selection; ++row) number(row);
  if (batch.selection) {
    for (int32_t row : *batch.selection) number(static_cast<size_t>(row));
  }
  return numbers;
}

/// Groups the keys as numbers, as texts, and as a number beside a text, and compares with what is expected.
void check(const std::vector<Key>& keys, Batch batch) {
  std::vector<std::optional<std::string>> texts;
  for (const Key& key : keys) texts.push_back(key ? std::optional(std::to_string(*key)) : std::nullopt);
  const columns::ColumnPtr longs = make_longs(keys);
  const columns::ColumnPtr strings = make_strings(texts);
  batch.num_rows = static_cast<int64_t>(keys.size());
  const auto expect_groups = [&](std::vector<types::DataType> types, std::vector<columns::ColumnPtr> columns) {
    batch.columns = std::move(columns);
    GroupFinder group_finder(std::move(types), unlimited());
    GroupTable table(unlimited(), group_finder.key_bytes());
    for (int round = 0; round < 2; ++round) {
      const auto groups = group_finder.find(batch, batch.columns.size(), table);
      EXPECT_EQ(std::vector<int32_t>(groups.begin(), groups.end()), numbered(keys, batch));
    }
  };
  expect_groups({kLong}, {longs});
  expect_groups({kLong, kLong}, {longs, longs});
  expect_groups({kString}, {strings});
  expect_groups({kLong, kString}, {longs, strings});
}

/// Keys in runs of so many rows, each key in several runs, among them the null.
std::vector<Key> runs_of(int64_t length, int64_t num_rows) {
  std::vector<Key> keys;
  for (int64_t row = 0; row < num_rows; ++row) {
    const int64_t key = row / length * 7 % 30;
    keys.push_back(key == 0 ? Key() : Key(key - 1));
  }
  return keys;
}

TEST(GroupFinder, GivesRunsOfEqualKeysOneGroup) {
  for (const int64_t num_rows : {1, 2, 63, 64, 65, 1000}) {
    for (const int64_t length : {1, 2, 3, 4, 100, 2000}) check(runs_of(length, num_rows), Batch());
  }
}

TEST(GroupFinder, PassesRowsThatAreNotSelected) {
  for (const int64_t length : {1, 4, 9}) {
    const std::vector<Key> keys = runs_of(length, 1000);
    for (const int32_t step : {2, 3, 5}) {
      auto selection = std::make_shared<std::vector<int32_t>>();
      for (int32_t row = 1; row < 1000; row += step) selection->push_back(row);
      Batch batch;
      batch.selection = selection;
      check(keys, batch);
    }
  }
}

/// Batches of keys and the groups of their rows by finer keys, each of which has one key here, as the engine meets
/// them.
class FinerGroupsTest : public testing::Test {
 protected:
  /// Groups a batch by keys that finer ones decide, a null among them: finer group n has key n / 3.
  std::vector<int32_t> find(const std::vector<int32_t>& finer, int64_t finer_set = 1, int64_t set = 1) {
    std::vector<Key> keys;
    for (const int32_t number : finer) keys.push_back(number / 3 == 2 ? Key() : Key(number / 3));
    return find(keys, finer, finer_set, set);
  }
  std::vector<int32_t> find(const std::vector<Key>& keys, const std::vector<int32_t>& finer, int64_t finer_set = 1,
                            int64_t set = 1) {
    Batch batch;
    batch.num_rows = static_cast<int64_t>(keys.size());
    batch.columns = {make_longs(keys)};
    batch.selection = selection_;
    num_finer_ = std::max(num_finer_, int64_t{*std::ranges::max_element(finer)} + 1);
    const auto found = finder_.find(batch, 1, table_, {finer, num_finer_, finer_set}, set);
    return {found.begin(), found.end()};
  }

  GroupFinder finder_{{kLong}, unlimited()};
  GroupTable table_{unlimited(), finder_.key_bytes()};
  columns::Selection selection_;
  int64_t num_finer_ = 0;
};

TEST_F(FinerGroupsTest, AreOfOneGroupEach) {
  EXPECT_EQ(find({1, 2, 3, 4, 5, 1}), (std::vector<int32_t>{1, 1, 2, 2, 2, 1}));
  // Of few that are new keys are looked up, of others none.
  EXPECT_EQ(find({1, 5, 8, 2, 1, 6, 6, 3, 4}), (std::vector<int32_t>{1, 2, 3, 1, 1, 3, 3, 2, 2}));
  EXPECT_EQ(find({Key(0), Key(77)}, {1, 4}), (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(table_.num_groups(), 4);
}

TEST_F(FinerGroupsTest, AreForgottenWhereASetIsAnother) {
  find({1, 2, 3});
  EXPECT_EQ(find({Key(1), Key(0), Key(1)}, {1, 3, 2}, 2), (std::vector<int32_t>{2, 1, 2}));
  table_ = GroupTable(unlimited(), finder_.key_bytes());
  EXPECT_EQ(find({Key(5), Key(0), Key(5)}, {1, 3, 2}, 2, 2), (std::vector<int32_t>{1, 2, 1}));
}

TEST_F(FinerGroupsTest, HaveRowsThatAreNotSelected) {
  selection_ = std::make_shared<const std::vector<int32_t>>(std::vector<int32_t>{0, 2, 3, 5});
  EXPECT_EQ(find({1, 0, 3, 4, 0, 1}), (std::vector<int32_t>{1, 0, 2, 2, 0, 1}));
  EXPECT_EQ(find({6, 0, 6, 6, 0, 3}), (std::vector<int32_t>{3, 0, 3, 3, 0, 2}));
}

TEST_F(FinerGroupsTest, AreLookedUpAgainWhereMemoryWasShort) {
  const auto budget = std::make_shared<memory::Budget>("test", int64_t{1} << 20);
  CoarserGroups coarser(budget);
  const std::vector<int32_t> finer = {1, 2, 1, 3};
  const auto rows = [&] {
    const auto found = coarser.rows_of_unknown({finer, 4, 1}, 1);
    return std::vector<int32_t>(found.begin(), found.end());
  };
  EXPECT_EQ(rows(), (std::vector<int32_t>{0, 1, 3}));
  EXPECT_EQ(rows(), (std::vector<int32_t>{0, 1, 3}));
  coarser.learn([](int64_t i) { return static_cast<int32_t>(i) + 7; });
  EXPECT_EQ(rows(), std::vector<int32_t>());
  std::vector<int32_t> groups(4);
  coarser.look_up({finer, 4, 1}, groups);
  EXPECT_EQ(groups, (std::vector<int32_t>{7, 8, 7, 9}));
}

TEST(GroupFinder, FindsRunsThatEndWithinABatch) {
  std::vector<Key> keys = runs_of(8, 500);
  for (int64_t row = 0; row < 500; ++row) keys.emplace_back(row % 97);
  check(keys, Batch());
  check({keys.rbegin(), keys.rend()}, Batch());
}

}  // namespace
}  // namespace accelerant::operators
