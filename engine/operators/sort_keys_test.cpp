#include "operators/sort_keys.h"

#include "columns/test_columns.h"
#include "types/integers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace accelerant::operators {
namespace {

using columns::ColumnPtr;
using columns::test::make_flat;
using columns::test::make_longs;
using columns::test::make_strings;
using types::PhysicalType;
using types::TypeId;
using Rows = std::vector<int32_t>;

/// Sorts rows; where one key orders them, so must its words.
Rows sorted(const std::vector<ColumnPtr>& columns, const std::vector<plan::SortKey>& keys) {
  const KeyOrder order(keys);
  Rows rows(static_cast<size_t>(columns.front()->length()));
  std::iota(rows.begin(), rows.end(), 0);
  std::ranges::stable_sort(rows, [&](int32_t a, int32_t b) { return order.compare(columns, a, columns, b) < 0; });
  const ColumnPtr& first = columns[static_cast<size_t>(keys.front().column)];
  const std::vector<uint64_t> words = key_words(*first, keys.front());
  for (size_t i = 1; i < rows.size(); ++i) {
    const uint64_t before = words[static_cast<size_t>(rows[i - 1])];
    const uint64_t after = words[static_cast<size_t>(rows[i])];
    EXPECT_LE(before, after);
    if (before == after && same_word(first->type(), keys.front(), before) == SameWord::Equal) {
      EXPECT_EQ(order.compare_key(0, columns, rows[i - 1], columns, rows[i]), 0);
    }
  }
  return rows;
}

TEST(KeyOrder, PutsNullsWhereAsked) {
  const ColumnPtr longs = make_longs({3, std::nullopt, -1, std::numeric_limits<int64_t>::min()});
  EXPECT_EQ(sorted({longs}, {{0, true, true}}), (Rows{1, 3, 2, 0}));
  EXPECT_EQ(sorted({longs}, {{0, true, false}}), (Rows{3, 2, 0, 1}));
  EXPECT_EQ(sorted({longs}, {{0, false, true}}), (Rows{1, 0, 2, 3}));
  EXPECT_EQ(sorted({longs}, {{0, false, false}}), (Rows{0, 2, 3, 1}));
}

TEST(KeyOrder, OrdersFloatsAsSpark) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const ColumnPtr doubles =
      make_flat<double>(types::DataType(TypeId::Double), {nan, inf, 0.0, -0.0, -inf, -nan, 1.5}, PhysicalType::Float64);
  EXPECT_EQ(sorted({doubles}, {{0, true, true}}), (Rows{4, 2, 3, 6, 1, 0, 5}));
  EXPECT_EQ(sorted({doubles}, {{0, false, true}}), (Rows{0, 5, 1, 6, 2, 3, 4}));
}

TEST(KeyOrder, OrdersStringsByUnsignedBytes) {
  using namespace std::string_literals;
  const ColumnPtr strings =
      make_strings({"b"s, "a\0b"s, "a"s, ""s, "a\0"s, "\xff"s, "a\x01"s, "a string that is not inline"s});
  EXPECT_EQ(sorted({strings}, {{0, true, true}}), (Rows{3, 2, 4, 1, 6, 7, 0, 5}));
  EXPECT_EQ(sorted({strings}, {{0, false, true}}), (Rows{5, 0, 7, 6, 1, 4, 2, 3}));
}

TEST(KeyOrder, UsesLaterKeysForTies) {
  const ColumnPtr first = make_longs({1, 1, 0, 0});
  const ColumnPtr second = make_strings({"x", "y", "x", "y"});
  EXPECT_EQ(sorted({first, second}, {{0, true, true}, {1, false, true}}), (Rows{3, 2, 1, 0}));
}

TEST(KeyOrder, ComparesDecimalsOfDifferentWidths) {
  const types::DataType decimal = types::DataType::decimal(38, 2);
  const std::vector<ColumnPtr> narrow = {make_flat<int64_t>(decimal, {-5, 7}, PhysicalType::Int64)};
  const int128 wide_value = int128{1} << 90;
  const std::vector<ColumnPtr> wide = {make_flat<int128>(decimal, {-wide_value, 7, wide_value}, PhysicalType::Int128)};
  const KeyOrder order({{0, true, true}});
  EXPECT_GT(order.compare(narrow, 0, wide, 0), 0);
  EXPECT_EQ(order.compare(narrow, 1, wide, 1), 0);
  EXPECT_LT(order.compare(narrow, 1, wide, 2), 0);
  EXPECT_EQ(sorted(wide, {{0, false, true}}), (Rows{2, 1, 0}));
}

}  // namespace
}  // namespace accelerant::operators
