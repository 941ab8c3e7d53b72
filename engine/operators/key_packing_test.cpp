#include "operators/key_packing.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <random>
#include <string>

namespace accelerant::operators {
namespace {

using columns::ColumnPtr;
using columns::test::make_flat;
using columns::test::make_longs;
using columns::test::make_strings;
using types::PhysicalType;
using types::TypeId;
using Columns = std::vector<ColumnPtr>;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

KeySpans spans_of(const KeyOrder& order, const Columns& columns) {
  return {order, columns, columns.front()->length(), execution::Cancellation()};
}

int sign(auto value) { return static_cast<int>(value > 0) - static_cast<int>(value < 0); }

/// Packs rows and compares all pairs by their words and by their values; returns how many keys were packed.
size_t check_packing(const Columns& columns, const std::vector<plan::SortKey>& keys,
                     std::optional<KeySpans> wider = std::nullopt) {
  const KeyOrder order(keys);
  const KeyPacking packing(order, wider ? *wider : spans_of(order, columns));
  const int64_t num_rows = columns.front()->length();
  std::vector<uint64_t> words(static_cast<size_t>(num_rows));
  packing.pack(columns, 0, num_rows, words.data());
  for (int64_t a = 0; a < num_rows; ++a) {
    for (int64_t b = 0; b < num_rows; ++b) {
      for (size_t end = 0; end <= packing.num_keys(); ++end) {
        const uint64_t word = packing.first_of(words[static_cast<size_t>(a)], end);
        const uint64_t other = packing.first_of(words[static_cast<size_t>(b)], end);
        EXPECT_EQ(word < other ? -1 : static_cast<int>(word > other),
                  sign(order.compare(columns, a, columns, b, 0, end)))
            << a << " and " << b << " by " << end;
      }
    }
  }
  for (size_t key = 0; key < packing.num_keys(); ++key) {
    const auto of_key = key_words(*columns[static_cast<size_t>(keys[key].column)], keys[key]);
    for (size_t row = 0; row < words.size(); ++row) EXPECT_EQ(packing.word_of_key(words[row], key), of_key[row]);
  }
  return packing.num_keys();
}

TEST(KeyPacking, OrdersRowsAsTheirKeys) {
  const Columns columns = {
      make_longs({3, std::nullopt, -1, 3, std::nullopt, 7}), make_longs({5, 1, kLeast, 4, std::nullopt, 5}),
      make_flat<double>(types::DataType(TypeId::Double), {0.0, -0.0, 1.5, 2, 2, -3}, PhysicalType::Float64)};
  for (const bool ascending : {true, false}) {
    for (const bool nulls_first : {true, false}) {
      EXPECT_EQ(check_packing(columns, {{0, ascending, nulls_first}}), 1u);
      EXPECT_EQ(check_packing(columns, {{1, ascending, nulls_first}, {0, true, nulls_first}}), 1u);
      EXPECT_EQ(check_packing(columns, {{0, ascending, nulls_first}, {2, !ascending, nulls_first}}), 1u);
      EXPECT_EQ(check_packing({columns[0], columns[0]}, {{0, ascending, nulls_first}, {1, !ascending, nulls_first}}),
                2u);
    }
  }
}

TEST(KeyPacking, LeavesOutWhatAWordHasNoRoomFor) {
  EXPECT_EQ(check_packing({make_longs({kLeast, kMost, 0}), make_longs({1, 2, 3})}, {{0}, {1}}), 1u);
  EXPECT_EQ(check_packing({make_longs({kLeast, kMost, std::nullopt})}, {{0}}), 0u);
  // A key whose values are all the same takes no bits.
  EXPECT_EQ(check_packing({make_longs({4, 4}), make_longs({kLeast, kMost}), make_longs({9, 9})}, {{0}, {1}, {2}}), 3u);
  EXPECT_EQ(check_packing({make_longs({std::nullopt, std::nullopt}), make_longs({2, 1})}, {{0}, {1}}), 2u);
}

TEST(KeyPacking, EndsBeforeKeysWhoseWordsDoNotTellThemApart) {
  EXPECT_EQ(check_packing({make_longs({1, 2}), make_strings({"a", "b"}), make_longs({1, 2})}, {{0}, {1}, {2}}), 1u);
  const types::DataType decimal = types::DataType::decimal(38, 0);
  const ColumnPtr wide = make_flat<int128>(decimal, {int128{1} << 90, int128{1} << 91}, PhysicalType::Int128);
  const ColumnPtr narrow = make_flat<int128>(decimal, {-7, 5}, PhysicalType::Int128);
  EXPECT_EQ(check_packing({wide}, {{0}}), 0u);
  EXPECT_EQ(check_packing({narrow}, {{0, false, true}}), 1u);
}

TEST(KeyPacking, HasRoomForRowsOfSeveralRuns) {
  const KeyOrder order({{0}, {1}});
  const Columns one = {make_longs({5, 6}), make_longs({std::nullopt, 1})};
  const Columns other = {make_longs({-100, 3}), make_longs({4, 1000})};
  KeySpans spans = spans_of(order, one);
  spans.add(spans_of(order, other));
  spans.add(KeySpans());
  EXPECT_EQ(check_packing(one, order.keys(), spans), 2u);
  EXPECT_EQ(check_packing(other, order.keys(), spans), 2u);
  const KeySpans none;
  KeySpans added = none;
  added.add(spans);
  EXPECT_EQ(added.of_keys().size(), 2u);
}

}  // namespace
}  // namespace accelerant::operators
