#include "planner/exchanges.h"

#include "plan/broadcast.h"
#include "plan/exchange.h"
#include "plan/write_files.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::above;
using test::file_scan;

TEST(DropExchanges, LeavesWhatIsBelow) {
  const NodePtr scan = file_scan();
  EXPECT_EQ(drop_exchanges(above<plan::Exchange>(above<plan::Exchange>(scan))), scan);
  const NodePtr broadcast = above<plan::Broadcast>(scan);
  EXPECT_EQ(drop_exchanges(broadcast), broadcast);
}

TEST(DropHandingOn, LeavesTheRowsThatJoinsAndWritersTake) {
  const NodePtr scan = file_scan(1);
  const NodePtr root = drop_handing_on(above<plan::WriteFiles>(test::join(scan, above<plan::Broadcast>(file_scan(2)))));
  ASSERT_TRUE(root->is<plan::Join>());
  EXPECT_EQ(root->inputs[0], scan);
  EXPECT_EQ(root->inputs[1]->plan_node, 2);
}

}  // namespace
}  // namespace accelerant::planner
