#include "planner/take_ordered.h"

#include "plan/take_ordered.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

TEST(TakeOrderedApart, MakesASortALimitAndAProjection) {
  auto node = std::make_shared<plan::TakeOrdered>();
  node->plan_node = 4;
  node->inputs = {test::file_scan()};
  node->keys = {{1, false, true}};
  node->limit = 10;
  node->offset = 2;
  node->program = test::columns({2});
  node->output = {{"x", test::kLong}};
  EXPECT_EQ(plan::to_string(*take_ordered_apart(node)),
            "Project #4 -> (x bigint)\n"
            "  Limit #4 limit=10 offset=2 -> (a bigint, b bigint, c bigint)\n"
            "    Sort #4 keys=[1 desc nulls first] -> (a bigint, b bigint, c bigint)\n"
            "      Scan #0 columns=3 filters=0 -> (a bigint, b bigint, c bigint)\n");
}

}  // namespace
}  // namespace accelerant::planner
