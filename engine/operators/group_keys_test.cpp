#include "operators/group_keys.h"

#include "base/error.h"
#include "columns/gather.h"
#include "columns/test_columns.h"
#include "execution/context.h"
#include "operators/group_table.h"
#include "types/integers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace accelerant::operators {
namespace {

using columns::ColumnPtr;
using columns::test::make_flat;
using columns::test::show;
using columns::test::unlimited;
using types::DataType;
using types::PhysicalType;
using types::TypeId;

TEST(KeyEncoder, ReadsBackEveryType) {
  for (const auto& sample : columns::test::samples(33)) {
    if (!KeyEncoder::supports(sample.column->type())) continue;
    const ColumnPtr flat = columns::flatten(sample.column, unlimited());
    KeyEncoder encoder({flat->type()}, unlimited());
    encoder.encode(std::vector{flat}, flat->length());
    std::vector<std::string_view> keys;
    for (int64_t row = 0; row < flat->length(); ++row) keys.push_back(encoder.key(row));
    const auto decoded = encoder.decode(keys);
    EXPECT_EQ(show(*decoded.at(0)), show(*flat)) << sample.name;
  }
}

TEST(KeyEncoder, GivesEqualBytesToEqualKeys) {
  const DataType type(TypeId::Double);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ColumnPtr doubles = make_flat<double>(type, {0.0, -0.0, nan, -nan, std::nullopt, 1.0}, PhysicalType::Float64);
  KeyEncoder encoder({type}, unlimited());
  encoder.encode(std::vector{doubles}, 6);
  EXPECT_EQ(encoder.key(0), encoder.key(1));
  EXPECT_EQ(encoder.key(2), encoder.key(3));
  EXPECT_NE(encoder.key(0), encoder.key(4));
  EXPECT_NE(encoder.key(0), encoder.key(5));
}

TEST(KeyEncoder, IgnoresTheWidthADecimalTravelsIn) {
  const DataType type = DataType::decimal(20, 2);
  KeyEncoder narrow({type}, unlimited());
  narrow.encode(std::vector{make_flat<int64_t>(type, {-5, 7}, PhysicalType::Int64)}, 2);
  KeyEncoder wide({type}, unlimited());
  wide.encode(std::vector{make_flat<int128>(type, {-5, 7}, PhysicalType::Int128)}, 2);
  EXPECT_EQ(narrow.key(0), wide.key(0));
  EXPECT_EQ(narrow.key(1), wide.key(1));
}

TEST(KeyEncoder, KeepsNeighbouringStringsApart) {
  const DataType type(TypeId::String);
  KeyEncoder encoder({type, type}, unlimited());
  encoder.encode(std::vector{columns::test::make_strings({"ab", "a"}), columns::test::make_strings({"c", "bc"})}, 2);
  EXPECT_NE(encoder.key(0), encoder.key(1));
}

TEST(GroupTable, NumbersDistinctKeysFromOne) {
  GroupTable table(unlimited());
  constexpr int kKeys = 10'000;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kKeys; ++i) {
      const std::string key = "key " + std::to_string(i);
      EXPECT_EQ(table.find_or_insert(key, GroupTable::hash(key)), i + 1);
    }
  }
  EXPECT_EQ(table.num_groups(), kKeys + 1);
  EXPECT_EQ(table.key(kKeys), "key " + std::to_string(kKeys - 1));
}

TEST(GroupTable, HoldsKeysOfOneWidth) {
  constexpr int64_t kKeys = 50'000;
  for (int64_t variant = 0; variant < 40; ++variant) {
    const int64_t width = 1 + variant / 2;
    const bool is_new = variant % 2 == 1;
    const int64_t num_keys = width == 1 ? 256 : kKeys;
    // Keys that differ in their first, in their last bytes, and in bytes between.
    std::string bytes(static_cast<size_t>(num_keys * width), '\0');
    for (int64_t i = 0; i < num_keys; ++i) {
      char* key = bytes.data() + i * width;
      std::memcpy(i % 3 == 0 ? key : key + width - std::min<int64_t>(width, 2), &i, std::min<size_t>(width, 2));
      if (width > 2) key[width / 2] = static_cast<char>(key[width / 2] ^ static_cast<char>(i % 3 + 4 * (i >> 16)));
    }
    const auto key_of = [&](int64_t i) {
      return std::string_view(bytes.data() + i * width, static_cast<size_t>(width));
    };
    std::unordered_map<std::string_view, int32_t> expected;
    GroupTable table(unlimited(), width);
    if (is_new) table.expect_new_keys();
    for (int round = 0; round < 2; ++round) {
      table.fetch_ahead(
          num_keys, [&](int64_t i) { return GroupTable::hash(key_of(i)); },
          [&](int64_t i, uint64_t hash) {
            const auto group = static_cast<int32_t>(expected.size() + 1);
            const int32_t of_key = expected.try_emplace(key_of(i), group).first->second;
            ASSERT_EQ(table.find_or_insert(key_of(i), hash), of_key) << width << " bytes, key " << i;
            ASSERT_EQ(table.hash_of(of_key), hash);
          });
    }
    ASSERT_EQ(table.num_groups(), static_cast<int64_t>(expected.size()) + 1);
    for (const auto& [key, group] : expected) ASSERT_EQ(table.key(group), key);
    table.clear();
    EXPECT_EQ(table.num_groups(), 1);
  }
}

TEST(GroupTable, FetchesAheadOfAnyNumberOfKeys) {
  for (const int64_t width : {0, 8, 16}) {
    for (int64_t num_keys = 0; num_keys < 70; ++num_keys) {
      GroupTable table(unlimited(), width);
      std::vector<int64_t> found;
      const auto key_of = [](int64_t i) { return "key of 16 bytes " + std::to_string(i); };
      const auto bytes_of = [&](int64_t i) {
        return width > 0 ? key_of(i + 10).substr(18 - static_cast<size_t>(width)) : key_of(i);
      };
      table.fetch_ahead(
          num_keys, [&](int64_t i) { return GroupTable::hash(bytes_of(i)); },
          [&](int64_t i, uint64_t hash) {
            EXPECT_EQ(hash, GroupTable::hash(bytes_of(i)));
            found.push_back(i);
            EXPECT_EQ(table.find_or_insert(bytes_of(i), hash), i + 1);
          });
      EXPECT_EQ(std::ssize(found), num_keys);
      EXPECT_TRUE(std::ranges::is_sorted(found));
    }
  }
}

TEST(KeyEncoder, KnowsWhetherKeysHaveOneWidth) {
  const DataType type(TypeId::Long);
  KeyEncoder fixed({type, DataType(TypeId::Int)}, unlimited());
  EXPECT_EQ(fixed.key_bytes(), 1 + 8 + 1 + 4);
  const ColumnPtr ints = make_flat<int32_t>(DataType(TypeId::Int), {0, std::nullopt}, PhysicalType::Int32);
  fixed.encode(std::vector{columns::test::make_longs({std::nullopt, 0}), ints}, 2);
  EXPECT_EQ(fixed.key(0).size(), 14u);
  EXPECT_EQ(fixed.key(1).size(), 14u);
  EXPECT_NE(fixed.key(0), fixed.key(1));
  EXPECT_EQ(KeyEncoder({type, DataType(TypeId::String)}, unlimited()).key_bytes(), 0);
}

TEST(GroupTable, SharesKeysOfTablesThatAreGone) {
  GroupTable merged(unlimited());
  for (const int first : {0, 500}) {
    GroupTable arranged(unlimited());
    {
      GroupTable own(unlimited());
      std::vector<int32_t> groups;
      for (int i = first; i < first + 1000; ++i) {
        const std::string key = "key " + std::to_string(i);
        groups.push_back(own.find_or_insert(key, GroupTable::hash(key)));
      }
      arranged.append(own, groups);
    }
    merged.share_keys(arranged);
    for (int32_t group = 1; group < arranged.num_groups(); ++group) {
      merged.find_or_insert_shared(arranged.key(group), arranged.hash_of(group));
    }
  }
  ASSERT_EQ(merged.num_groups(), 1501);
  for (int32_t group = 1; group < merged.num_groups(); ++group) {
    EXPECT_EQ(merged.key(group), "key " + std::to_string(group - 1));
  }
}

TEST(GroupTable, MakesRoomWithoutLosingGroups) {
  GroupTable table(unlimited());
  EXPECT_EQ(table.find_or_insert("a", GroupTable::hash("a")), 1);
  table.reserve(10'000);
  table.reserve(10);
  EXPECT_EQ(table.find_or_insert("b", GroupTable::hash("b")), 2);
  EXPECT_EQ(table.find_or_insert("a", GroupTable::hash("a")), 1);
}

TEST(KeyEncoder, ReservesBeforeItGrows) {
  const auto budget = std::make_shared<memory::Budget>("Aggregate", 4096);
  KeyEncoder encoder({DataType(TypeId::Long)}, budget);
  const std::vector<std::optional<int64_t>> many(10'000, 7);
  EXPECT_THROW(encoder.encode(std::vector{columns::test::make_longs(many)}, 10'000), Error);
  encoder.encode(std::vector{columns::test::make_longs({7, 8})}, 2);
  EXPECT_NE(encoder.key(0), encoder.key(1));
  const int64_t used = budget->used_bytes();
  EXPECT_GT(used, 0);
  encoder.drop_cursors();
  EXPECT_LT(budget->used_bytes(), used);
}

TEST(GroupTable, LooksAtCancellationWhileItGrows) {
  execution::Cancellation cancellation;
  cancellation.cancel();
  GroupTable table(unlimited(), sizeof(int64_t), &cancellation);
  EXPECT_THROW(table.reserve(1'000'000), Error);
}

TEST(GroupTable, ChargesItsBudget) {
  const auto budget = std::make_shared<memory::Budget>("Aggregate", 1 << 20);
  GroupTable table(budget);
  EXPECT_THROW(
      for (int i = 0; i < 1'000'000; ++i) {
        const std::string key = std::to_string(i);
        table.find_or_insert(key, GroupTable::hash(key));
      },
      Error);
}

}  // namespace
}  // namespace accelerant::operators
