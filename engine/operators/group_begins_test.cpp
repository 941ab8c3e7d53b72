#include "operators/group_begins.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <limits>

namespace accelerant::operators {
namespace {

using columns::test::make_flat;
using columns::test::make_longs;
using columns::test::make_strings;
using columns::test::unlimited;
using Begins = std::vector<int64_t>;

TEST(GroupBegins, AreWhereKeysChange) {
  GroupBegins begins({2, 0}, unlimited());
  const auto longs = make_longs({1, 1, 2, 2, std::nullopt, std::nullopt});
  const auto strings = make_strings({"a", "b", "b", "b", "b", "b"});
  EXPECT_EQ(begins.find({{longs, longs, strings}}, 6), (Begins{0, 1, 2, 4}));
}

TEST(GroupBegins, GoOnWithTheNextBatch) {
  GroupBegins begins({0}, unlimited());
  EXPECT_EQ(begins.find({{make_longs({1, 2})}}, 2), (Begins{0, 1}));
  EXPECT_EQ(begins.find({{make_longs({2, 2})}}, 2), Begins());
  EXPECT_EQ(begins.find({{make_longs({})}}, 0), Begins());
  EXPECT_EQ(begins.find({{make_longs({2, std::nullopt})}}, 2), (Begins{1}));
  EXPECT_EQ(begins.find({{make_longs({std::nullopt})}}, 1), Begins());
  EXPECT_EQ(begins.find({{make_longs({3})}}, 1), (Begins{0}));
}

TEST(GroupBegins, AreNotBetweenZerosNorNaN) {
  GroupBegins begins({0}, unlimited());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const types::DataType type(types::TypeId::Double);
  const auto doubles = make_flat<double>(type, {-0.0, 0.0, nan, nan}, types::PhysicalType::Float64);
  EXPECT_EQ(begins.find({{doubles}}, 4), (Begins{0, 2}));
}

TEST(GroupBegins, ReadEncodedColumns) {
  GroupBegins begins({0}, unlimited());
  const auto constant = columns::Column::constant(make_longs({7}), 3);
  EXPECT_EQ(begins.find({{constant}}, 3), (Begins{0}));
  EXPECT_EQ(begins.find({{make_longs({7, 8})}}, 2), (Begins{1}));
}

}  // namespace
}  // namespace accelerant::operators
