#include "planner/open_tables.h"

#include "base/error.h"
#include "plan/memory_scan.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

TEST(OpenRows, TellsThatOnlySparkHasThem) {
  auto scan = std::make_shared<plan::MemoryScan>();
  scan->plan_node = 4;
  plan::BoundPlan plan;
  plan.root = scan;
  try {
    open_rows(plan, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::User);
    EXPECT_NE(std::string(error.message()).find("plan node 4"), std::string::npos);
  }
}

}  // namespace
}  // namespace accelerant::planner
