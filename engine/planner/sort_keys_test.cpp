#include "planner/sort_keys.h"

#include "plan/sort.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

using plan::NodePtr;

std::shared_ptr<plan::Sort> sort_by(int column) {
  auto node = test::above<plan::Sort>(test::file_scan());
  node->plan_node = 4;
  node->keys = {{column, true, true}};
  return node;
}

TEST(PutSortKeysBelow, MakesKeysColumns) {
  auto sort = sort_by(3);
  sort->computed_keys = test::columns({1});
  EXPECT_EQ(plan::to_string(*put_sort_keys_below(sort)),
            "Project #4 -> (a bigint, b bigint, c bigint)\n"
            "  Sort #4 keys=[3 asc nulls first] -> (a bigint, b bigint, c bigint, sort key bigint)\n"
            "    Project #4 -> (a bigint, b bigint, c bigint, sort key bigint)\n"
            "      Scan #0 columns=3 filters=0 -> (a bigint, b bigint, c bigint)\n");
}

TEST(PutSortKeysBelow, LeavesSortsByColumnsAsTheyAre) {
  const NodePtr sort = sort_by(2);
  EXPECT_EQ(put_sort_keys_below(sort), sort);
}

}  // namespace
}  // namespace accelerant::planner
