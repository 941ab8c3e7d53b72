#include "plan/row_order.h"

#include "plan/aggregate.h"
#include "plan/join.h"
#include "plan/project.h"
#include "plan/range.h"
#include "plan/sort.h"
#include "plan/union.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace accelerant::plan {
namespace {

template <class T, class... Inputs>
NodePtr above(Inputs... inputs) {
  auto node = std::make_shared<T>();
  node->inputs = {std::move(inputs)...};
  return node;
}

const NodePtr kRows = std::make_shared<Range>();
const NodePtr kGroups = above<Aggregate>(kRows);

TEST(RowOrder, IsToldThroughWhatRowsPass) {
  EXPECT_TRUE(tells_order(*kRows));
  EXPECT_TRUE(tells_order(*above<Sort>(above<Project>(kRows))));
  EXPECT_TRUE(tells_order(*above<Union>(kRows, above<Sort>(kRows))));
}

TEST(RowOrder, IsToldByGroupsUntilTheyAreSorted) {
  EXPECT_TRUE(tells_order(*above<Project>(kGroups)));
  EXPECT_TRUE(tells_order(*above<Union>(kRows, kGroups)));
  EXPECT_FALSE(tells_order(*above<Sort>(kGroups)));
  EXPECT_TRUE(order_varies(*above<Sort>(kGroups)));
  EXPECT_FALSE(order_varies(*above<Sort>(kRows)));
}

TEST(RowOrder, IsLostWhereABuiltSideVaries) {
  const auto joined = [](const NodePtr& probed, const NodePtr& built) {
    auto join = std::make_shared<Join>();
    join->inputs = {built, built};
    join->inputs[join->passing_input()] = probed;
    return join;
  };
  EXPECT_TRUE(tells_order(*joined(kRows, kRows)));
  EXPECT_TRUE(tells_order(*joined(kGroups, kRows)));
  EXPECT_FALSE(tells_order(*joined(kRows, kGroups)));
}

}  // namespace
}  // namespace accelerant::plan
