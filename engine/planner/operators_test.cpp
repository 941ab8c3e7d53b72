#include "planner/operators.h"

#include "base/error.h"
#include "plan/memory_scan.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

TEST(OpenTable, NamesTheNodeWhoseRowsAreNotThere) {
  auto node = std::make_shared<plan::MemoryScan>();
  node->plan_node = 7;
  try {
    open_table(node, Inputs(), 1, memory::process_budget());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::User);
    EXPECT_EQ(error.message(), "the rows of plan node 7 are Spark's alone: the query runs nowhere else");
  }
}

}  // namespace
}  // namespace accelerant::planner
