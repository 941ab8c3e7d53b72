#include "operators/join_table.h"

#include "base/mix_bits.h"
#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace accelerant::operators {
namespace {

using columns::test::unlimited;
using Numbers = std::vector<std::optional<int64_t>>;

std::unique_ptr<JoinKeys> keys_of(const std::vector<columns::ColumnPtr>& columns) {
  std::vector<types::DataType> types;
  for (const auto& column : columns) types.push_back(column->type());
  auto keys = std::make_unique<JoinKeys>(types, unlimited());
  keys->encode(columns, columns.front()->length());
  return keys;
}

std::unique_ptr<JoinKeys> keys_of(const columns::ColumnPtr& column) { return keys_of(std::vector{column}); }

/// @param parts columns of keys
std::unique_ptr<const JoinTable> table_of(const std::vector<std::vector<columns::ColumnPtr>>& parts,
                                          int num_workers = 1,
                                          JoinTable::ChainOrder order = JoinTable::ChainOrder::FirstRowFirst) {
  static const execution::Cancellation kNever;
  static execution::Metrics metrics;
  std::vector<JoinTable::Chunk> chunks;
  for (const auto& columns : parts) {
    auto keys = keys_of(columns);
    const KeyBounds bounds = keys->bounds();
    const auto number = static_cast<int64_t>(chunks.size());
    chunks.push_back({number, columns.front()->length(), columns, std::move(keys), bounds});
  }
  const execution::OperatorContext ctx{unlimited(), &kNever, &metrics, 3, 1024};
  auto table = std::make_unique<JoinTable>(std::move(chunks), false, order, num_workers, ctx);
  table->allocate();
  std::vector<std::thread> workers;
  for (int64_t task = 0; task < table->num_finish_tasks(); ++task) {
    workers.emplace_back([&, task] { table->run_finish_task(task); });
  }
  for (std::thread& worker : workers) worker.join();
  return table;
}

std::unique_ptr<const JoinTable> table_of(const std::vector<columns::ColumnPtr>& columns, int num_workers = 1) {
  std::vector<std::vector<columns::ColumnPtr>> parts;
  for (const auto& column : columns) parts.push_back({column});
  return table_of(parts, num_workers);
}

std::vector<int32_t> rows_of(const JoinTable& table, const JoinKeys& probe, int64_t probe_row) {
  std::vector<int32_t> rows;
  for (int32_t row = table.first(probe, probe_row); row != JoinTable::kEnd; row = table.next(row)) rows.push_back(row);
  return rows;
}

/// Looks up every key, its neighbours, and the ends of its type.
void expect_every_row(const Numbers& keys, bool is_direct, bool is_unique) {
  const auto table = table_of({columns::test::make_longs({keys.begin(), keys.begin() + 2}),
                               columns::test::make_longs({keys.begin() + 2, keys.end()})});
  EXPECT_EQ(table->is_direct(), is_direct);
  EXPECT_EQ(table->is_unique(), is_unique);
  Numbers asked = {0, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  for (const auto& key : keys) {
    if (key) asked.insert(asked.end(), {*key - 1, *key, *key + 1});
  }
  const auto probe = keys_of(columns::test::make_longs(asked));
  for (size_t i = 0; i < asked.size(); ++i) {
    std::vector<int32_t> expected;
    for (size_t row = 0; row < keys.size(); ++row) {
      if (keys[row] == asked[i]) expected.push_back(static_cast<int32_t>(row));
    }
    EXPECT_EQ(rows_of(*table, *probe, static_cast<int64_t>(i)), expected) << *asked[i];
  }
}

TEST(JoinTable, FindsKeysThatLieCloseTogetherByThemselves) {
  expect_every_row({5, 3, 4, 7}, true, true);
  expect_every_row({5, 3, 5, 7, 3, 5}, true, false);
  expect_every_row({std::nullopt, 1000000007, 1000000003, std::nullopt}, true, true);
  expect_every_row({-9, -4, -7, -5}, true, true);
  expect_every_row({std::numeric_limits<int64_t>::max() - 1, std::numeric_limits<int64_t>::max() - 3,
                    std::numeric_limits<int64_t>::max() - 2},
                   true, true);
}

TEST(JoinTable, FollowsChainsFromTheLastRowWhereItIsAskedTo) {
  using columns::test::make_longs;
  const auto table = table_of({{make_longs({7, 8, 7})}, {make_longs({8, 7})}}, 1, JoinTable::ChainOrder::LastRowFirst);
  const auto probe = keys_of(make_longs({7, 8}));
  EXPECT_EQ(rows_of(*table, *probe, 0), (std::vector<int32_t>{4, 2, 0}));
  EXPECT_EQ(rows_of(*table, *probe, 1), (std::vector<int32_t>{3, 1}));
}

TEST(JoinTable, FindsOthersByTheirHashes) {
  expect_every_row({5, 3, 4, 100}, false, true);
  expect_every_row({5, 3, 4, 100, 4}, false, false);
  expect_every_row({-1, 0, 1, 2}, false, true);
  expect_every_row({std::numeric_limits<int64_t>::min() + 1, std::numeric_limits<int64_t>::max() - 1, 0}, false, true);
  expect_every_row({std::nullopt, std::nullopt, std::nullopt}, false, true);
}

TEST(JoinTable, FindsKeysOfEveryWidth) {
  using types::DataType;
  using types::PhysicalType;
  using types::TypeId;
  const auto ints = columns::test::make_flat<int32_t>(DataType(TypeId::Int), {-3, -2, -5}, PhysicalType::Int32);
  const auto table = table_of({ints});
  EXPECT_TRUE(table->is_direct());
  const auto probe = keys_of(
      columns::test::make_flat<int32_t>(DataType(TypeId::Int), {-5, -4, -3, 2, 2147483647}, PhysicalType::Int32));
  EXPECT_EQ(rows_of(*table, *probe, 0), std::vector<int32_t>{2});
  EXPECT_TRUE(rows_of(*table, *probe, 1).empty());
  EXPECT_EQ(rows_of(*table, *probe, 2), std::vector<int32_t>{0});
  EXPECT_TRUE(rows_of(*table, *probe, 3).empty());
  EXPECT_TRUE(rows_of(*table, *probe, 4).empty());
}

TEST(JoinTable, FindsKeysOfSeveralColumns) {
  using types::DataType;
  using types::PhysicalType;
  using types::TypeId;
  const auto ints = [](const std::vector<std::optional<int32_t>>& values) {
    return columns::test::make_flat<int32_t>(DataType(TypeId::Int), values, PhysicalType::Int32);
  };
  const auto longs = columns::test::make_longs({1, 1, 2, std::nullopt, 1, -1});
  const auto first = ints({7, 8, 7, 7, 7, -1});
  const auto second = ints({0, 0, 0, 0, 0, -1});
  const auto texts = columns::test::make_strings({"a", "a", "a", "a", "a", "b"});
  const std::vector<std::vector<columns::ColumnPtr>> keys = {{first, second},        {first, longs},
                                                             {longs, first, second}, {first, longs, second},
                                                             {longs, longs, longs},  {longs, texts}};
  const int words[] = {1, 2, 2, 2, 0, 0};
  for (size_t k = 0; k < keys.size(); ++k) {
    const auto encoded = keys_of(keys[k]);
    EXPECT_EQ(encoded->num_words(), words[k]);
    const auto table = table_of(std::vector<std::vector<columns::ColumnPtr>>(1, keys[k]));
    for (int64_t row = 0; row < 6; ++row) {
      std::vector<int32_t> expected;
      for (int64_t other = 0; other < 6; ++other) {
        const bool equal = std::ranges::all_of(keys[k], [&](const columns::ColumnPtr& column) {
          const std::vector<std::string> shown = columns::test::show(*column);
          return !column->is_null(other) && shown[static_cast<size_t>(row)] == shown[static_cast<size_t>(other)];
        });
        if (equal) expected.push_back(static_cast<int32_t>(other));
      }
      EXPECT_EQ(encoded->is_null(row) ? expected : rows_of(*table, *encoded, row), expected) << k << " " << row;
    }
  }
}

TEST(JoinTable, IsTheSameWhoeverLinksIt) {
  std::mt19937_64 random(5);
  for (const uint64_t largest : {50'000ULL, 300'000ULL, 1'000'000'000'000ULL}) {
    std::vector<columns::ColumnPtr> columns;
    std::vector<int64_t> all;
    for (int i = 0; i < 5; ++i) {
      Numbers keys;
      for (int row = 0; row < 60'000; ++row) keys.push_back(static_cast<int64_t>(random() % largest));
      for (const auto& key : keys) all.push_back(*key);
      columns.push_back(columns::test::make_longs(keys));
    }
    const auto alone = table_of(columns, 1);
    const auto together = table_of(columns, 4);
    EXPECT_EQ(together->num_finish_tasks(), 5);
    EXPECT_EQ(columns::test::show(*together->columns()[0]), columns::test::show(*alone->columns()[0]));
    const auto probe = keys_of(columns[0]);
    for (int64_t row = 0; row < 2000; ++row) {
      const std::vector<int32_t> rows = rows_of(*together, *probe, row);
      EXPECT_EQ(rows, rows_of(*alone, *probe, row));
      EXPECT_TRUE(std::ranges::is_sorted(rows));
      for (const int32_t found : rows) EXPECT_EQ(all[static_cast<size_t>(found)], all[static_cast<size_t>(row)]);
    }
  }
}

/// Returns the number that `mix_bits` makes another one of.
uint64_t unmixed(uint64_t number) {
  uint64_t inverse = 1;
  for (int i = 0; i < 6; ++i) inverse *= 2 - 0xd6e8feb86659fd93 * inverse;
  number ^= number >> 32;
  for (int i = 0; i < 2; ++i) {
    number *= inverse;
    number ^= number >> 32;
  }
  return number;
}

TEST(JoinTable, LinksKeysAcrossTheEndsOfRanges) {
  constexpr int64_t kRows = 300'000;
  constexpr uint64_t kBuckets = kRows / 3 + 1;
  constexpr uint64_t kRanges = 4;
  constexpr uint64_t kKeysOfEnd = 12;  // five have room
  std::mt19937_64 random(7);
  std::vector<uint64_t> hashes;
  for (uint64_t range = 1; range <= kRanges; ++range) {
    const uint64_t last = (range == kRanges ? kBuckets : kBuckets / kRanges * range) - 1;
    const uint64_t first_of_last = ((last << 32) + kBuckets - 1) / kBuckets;
    for (uint64_t i = 0; i < kKeysOfEnd; ++i) hashes.push_back(random() << 32 | (first_of_last + i));
  }
  const size_t num_of_ends = hashes.size();
  while (std::ssize(hashes) < 100'000) hashes.push_back(random());
  for (const int num_words : {1, 2}) {
    for (const auto order : {JoinTable::ChainOrder::FirstRowFirst, JoinTable::ChainOrder::LastRowFirst}) {
      // Each key three times, in three chunks.
      std::vector<std::vector<columns::ColumnPtr>> parts;
      for (int part = 0; part < 3; ++part) {
        Numbers first;
        Numbers second;
        for (size_t i = 0; i < hashes.size(); ++i) {
          second.push_back(static_cast<int64_t>(i / 3));
          const uint64_t added = num_words == 2 ? mix_bits(i / 3) : 0;
          first.push_back(static_cast<int64_t>(unmixed(hashes[i]) - added));
        }
        parts.push_back({columns::test::make_longs(first)});
        if (num_words == 2) parts.back().push_back(columns::test::make_longs(second));
      }
      const auto table = table_of(parts, static_cast<int>(kRanges), order);
      const auto probe = keys_of(parts[0]);
      ASSERT_EQ(probe->num_words(), num_words);
      EXPECT_FALSE(table->is_unique());
      for (size_t i = 0; i < hashes.size(); ++i) {
        const auto row = static_cast<int32_t>(i);
        ASSERT_EQ(probe->hash(row), hashes[i]);
        std::vector<int32_t> expected = {row, row + 100'000, row + 200'000};
        if (order == JoinTable::ChainOrder::LastRowFirst) std::ranges::reverse(expected);
        ASSERT_EQ(rows_of(*table, *probe, row), expected) << (i < num_of_ends ? "at an end" : "within") << ", " << i;
      }
    }
  }
}

TEST(JoinTable, TellsKeysOfOneHashApart) {
  constexpr int kKeys = 20;
  Numbers first;
  Numbers second;
  for (int i = 0; i < 2 * kKeys; ++i) {
    const auto number = static_cast<uint64_t>(i % kKeys);
    second.push_back(static_cast<int64_t>(number));
    first.push_back(static_cast<int64_t>(12'345 - mix_bits(number)));
  }
  const std::vector<columns::ColumnPtr> keys = {columns::test::make_longs(first), columns::test::make_longs(second)};
  const auto table = table_of(std::vector<std::vector<columns::ColumnPtr>>(1, keys));
  const auto probe = keys_of(keys);
  for (int32_t row = 0; row < kKeys; ++row) {
    ASSERT_EQ(probe->hash(row), probe->hash(0));
    EXPECT_EQ(rows_of(*table, *probe, row), (std::vector<int32_t>{row, row + kKeys}));
  }
  second[0] = kKeys;
  first[0] = static_cast<int64_t>(12'345 - mix_bits(kKeys));
  const auto other = keys_of({columns::test::make_longs(first), columns::test::make_longs(second)});
  ASSERT_EQ(other->hash(0), probe->hash(0));
  EXPECT_TRUE(rows_of(*table, *other, 0).empty());
}

TEST(JoinTable, HoldsNoRowsToo) {
  const auto table = table_of(std::vector<columns::ColumnPtr>());
  const auto probe = keys_of(columns::test::make_longs({1}));
  EXPECT_TRUE(rows_of(*table, *probe, 0).empty());
}

}  // namespace
}  // namespace accelerant::operators
