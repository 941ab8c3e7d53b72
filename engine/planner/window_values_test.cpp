#include "planner/window_values.h"

#include "plan/window.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

using plan::NodePtr;

/// A window by a, in the order of a column, that numbers rows.
std::shared_ptr<plan::Window> numbered_by(int column) {
  auto node = test::above<plan::Window>(test::file_scan());
  node->plan_node = 4;
  node->keys = {{0, true, true}, {column, true, true}};
  node->num_partition_keys = 1;
  node->calls = {{}};
  node->passed = {0, 1, 2};
  node->output.push_back({"w", types::DataType(types::TypeId::Int)});
  return node;
}

TEST(PutWindowValuesBelow, MakesThemColumns) {
  auto window = numbered_by(3);
  window->computed = test::columns({1});
  EXPECT_EQ(plan::to_string(*put_window_values_below(window)),
            "Window #4 keys=[0 asc nulls first, 3 asc nulls first] partition=1 calls=[row_number]"
            " -> (a bigint, b bigint, c bigint, w int)\n"
            "  Project #4 -> (a bigint, b bigint, c bigint, window value bigint)\n"
            "    Scan #0 columns=3 filters=0 -> (a bigint, b bigint, c bigint)\n");
}

TEST(PutWindowValuesBelow, LeavesWindowsOverColumnsAsTheyAre) {
  const NodePtr window = numbered_by(1);
  EXPECT_EQ(put_window_values_below(window), window);
}

}  // namespace
}  // namespace accelerant::planner
