#include "operators/sort_keys.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <limits>

namespace accelerant::operators {
namespace {

using columns::ColumnPtr;
using columns::test::make_flat;
using columns::test::make_longs;
using columns::test::make_strings;
using columns::test::unlimited;
using types::PhysicalType;
using types::TypeId;

std::vector<int32_t> sorted(const std::vector<ColumnPtr>& columns, const std::vector<plan::SortKey>& keys) {
  const execution::Cancellation never;
  return SortKeys(columns, keys, {unlimited(), &never, nullptr, 0, 1024}).sorted_rows();
}

using Rows = std::vector<int32_t>;

TEST(SortKeys, PutsNullsWhereAsked) {
  const ColumnPtr longs = make_longs({3, std::nullopt, -1, std::numeric_limits<int64_t>::min()});
  EXPECT_EQ(sorted({longs}, {{0, true, true}}), (Rows{1, 3, 2, 0}));
  EXPECT_EQ(sorted({longs}, {{0, true, false}}), (Rows{3, 2, 0, 1}));
  EXPECT_EQ(sorted({longs}, {{0, false, true}}), (Rows{1, 0, 2, 3}));
  EXPECT_EQ(sorted({longs}, {{0, false, false}}), (Rows{0, 2, 3, 1}));
}

TEST(SortKeys, KeepsTheOrderOfEqualRows) {
  EXPECT_EQ(sorted({make_longs({1, 0, 1, 0})}, {{0, true, true}}), (Rows{1, 3, 0, 2}));
}

TEST(SortKeys, OrdersFloatsAsSpark) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const ColumnPtr doubles =
      make_flat<double>(types::DataType(TypeId::Double), {nan, inf, 0.0, -0.0, -inf, -nan, 1.5}, PhysicalType::Float64);
  EXPECT_EQ(sorted({doubles}, {{0, true, true}}), (Rows{4, 2, 3, 6, 1, 0, 5}));
}

TEST(SortKeys, OrdersStringsByUnsignedBytes) {
  using namespace std::string_literals;
  const ColumnPtr strings =
      make_strings({"b"s, "a\0b"s, "a"s, ""s, "a\0"s, "\xff"s, "a\x01"s, "a string that is not inline"s});
  EXPECT_EQ(sorted({strings}, {{0, true, true}}), (Rows{3, 2, 4, 1, 6, 7, 0, 5}));
  EXPECT_EQ(sorted({strings}, {{0, false, true}}), (Rows{5, 0, 7, 6, 1, 4, 2, 3}));
}

TEST(SortKeys, UsesLaterKeysForTies) {
  const ColumnPtr first = make_longs({1, 1, 0, 0});
  const ColumnPtr second = make_strings({"x", "y", "x", "y"});
  EXPECT_EQ(sorted({first, second}, {{0, true, true}, {1, false, true}}), (Rows{3, 2, 1, 0}));
}

}  // namespace
}  // namespace accelerant::operators
