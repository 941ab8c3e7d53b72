#include "planner/top_k.h"

#include "plan/limit.h"
#include "plan/sort.h"
#include "plan/top_k.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::above;

std::shared_ptr<plan::Limit> limit_of_sort(int64_t limit, int64_t offset) {
  auto sort = above<plan::Sort>(test::file_scan());
  sort->keys = {{1, false, true}};
  sort->plan_node = 3;
  sort->fused = {2, 4};
  auto node = above<plan::Limit>(sort);
  node->plan_node = 4;
  node->fused = {5};
  node->limit = limit;
  node->offset = offset;
  return node;
}

TEST(MakeTopK, PutsLimitsAndSortsTogether) {
  const NodePtr root = make_top_k(limit_of_sort(10, 5));
  EXPECT_EQ(plan::to_string(*root),
            "TopK #4 keys=[1 desc nulls first] limit=10 offset=5 -> (a bigint, b bigint, c bigint)\n"
            "  Scan #0 columns=3 filters=0 -> (a bigint, b bigint, c bigint)\n");
  EXPECT_EQ(root->fused, (std::vector<int>{5, 2, 3}));
}

TEST(MakeTopK, SortsAllWhereManyRowsAreWantedOrNone) {
  for (const int64_t limit : {plan::TopK::kMaxRows, plan::Limit::kAll, int64_t{0}}) {
    const NodePtr root = limit_of_sort(limit, 1);
    EXPECT_EQ(make_top_k(root), root);
  }
}

}  // namespace
}  // namespace accelerant::planner
