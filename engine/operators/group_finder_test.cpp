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

TEST(GroupFinder, FindsRunsThatEndWithinABatch) {
  std::vector<Key> keys = runs_of(8, 500);
  for (int64_t row = 0; row < 500; ++row) keys.emplace_back(row % 97);
  check(keys, Batch());
  check({keys.rbegin(), keys.rend()}, Batch());
}

}  // namespace
}  // namespace accelerant::operators
