#include "aggregates/nested_slots.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::aggregates {
namespace {

using columns::test::make_array;
using columns::test::make_longs;
using columns::test::show;
using columns::test::unlimited;
using Rows = std::vector<int32_t>;
using Texts = std::vector<std::string>;

/// Lists [1], null, [2, 3] and [].
columns::ColumnPtr lists() { return make_array(make_longs({1, 2, 3}), {1, -1, 2, 0}); }

TEST(NestedSlots, HoldNullsAtFirst) {
  NestedSlots slots(lists()->type(), unlimited());
  slots.resize(3);
  EXPECT_EQ(show(*slots.values_of(Rows{2, 1}, unlimited())), (Texts{"null", "null"}));
  EXPECT_EQ(slots.values_of({}, unlimited())->length(), 0);
}

TEST(NestedSlots, HoldWhatWasPutLast) {
  NestedSlots slots(lists()->type(), unlimited());
  slots.resize(4);
  slots.set(Rows{1, 2}, *lists(), Rows{0, 2});
  slots.set(Rows{3, 1}, *lists(), Rows{3, 1});
  slots.set({}, *lists(), {});
  EXPECT_EQ(show(*slots.values_of(Rows{0, 1, 2, 3, 2}, unlimited())), (Texts{"null", "null", "[2,3]", "[]", "[2,3]"}));
  slots.resize(6);
  slots.set(Rows{5}, *lists(), Rows{0});
  EXPECT_EQ(show(*slots.values_of(Rows{4, 5, 3}, unlimited())), (Texts{"null", "[1]", "[]"}));
}

TEST(NestedSlots, CopyFromOthers) {
  NestedSlots from(lists()->type(), unlimited());
  from.resize(3);
  from.set(Rows{1, 2}, *lists(), Rows{2, 0});
  NestedSlots into(lists()->type(), unlimited());
  into.resize(3);
  into.copy(Rows{2, 1}, from, Rows{1, 0});
  EXPECT_EQ(show(*into.values_of(Rows{0, 1, 2}, unlimited())), (Texts{"null", "null", "[2,3]"}));
}

TEST(NestedSlots, DropWhatIsLeft) {
  NestedSlots slots(lists()->type(), unlimited());
  slots.resize(3);
  for (int32_t i = 0; i < 3000; ++i) {
    slots.set(Rows{1 + i % 2}, *lists(), Rows{i % 4});
  }
  EXPECT_EQ(show(*slots.values_of(Rows{0, 1, 2}, unlimited())), (Texts{"null", "[2,3]", "[]"}));
}

}  // namespace
}  // namespace accelerant::aggregates
