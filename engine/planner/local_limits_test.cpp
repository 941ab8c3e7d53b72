#include "planner/local_limits.h"

#include "plan/limit.h"
#include "plan/local_limit.h"
#include "plan/union.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::above;
using test::file_scan;

constexpr int kRoot = 9;

NodePtr local(const NodePtr& input, int64_t rows) {
  auto node = above<plan::LocalLimit>(input);
  node->plan_node = 3;
  node->limit = rows;
  return node;
}

NodePtr limit(const NodePtr& input, int64_t rows, int64_t offset = 0) {
  auto node = above<plan::Limit>(input);
  node->plan_node = 5;
  node->limit = rows;
  node->offset = offset;
  return node;
}

/// What becomes of a tree, and the reason against it.
struct Outcome {
  NodePtr root;
  std::string reason;
};

Outcome replaced(const NodePtr& root) {
  plan::Verdict verdict;
  verdict.supported = true;
  verdict.nodes = {{3, "LocalLimit", ""}, {5, "Limit", ""}, {kRoot, "Root", ""}};
  Outcome outcome{replace_local_limits(root, kRoot, verdict), ""};
  for (const plan::NodeVerdict& node : verdict.nodes) {
    if (!node.reason.empty()) outcome.reason += node.operator_name + ": " + node.reason;
  }
  return outcome;
}

TEST(ReplaceLocalLimits, AreSuperfluousBelowLimits) {
  const Outcome outcome = replaced(limit(local(local(file_scan(), 12), 12), 10, 2));
  EXPECT_EQ(outcome.reason, "");
  EXPECT_TRUE(outcome.root->inputs[0]->is<plan::Scan>());
  const std::string lower = "Limit: a limit of each partition that is lower than the limit of all";
  EXPECT_EQ(replaced(limit(local(file_scan(), 11), 10, 2)).reason, lower);
  EXPECT_EQ(replaced(limit(local(file_scan(), 11), plan::Limit::kAll)).reason, lower);
}

TEST(ReplaceLocalLimits, GoThroughUnionsToLimits) {
  auto both = above<plan::Union>(local(file_scan(1), 20));
  both->inputs.push_back(local(file_scan(2), 10));
  both->inputs.push_back(file_scan(3));
  EXPECT_EQ(replaced(limit(both, 11)).reason, "Limit: a limit of each partition that is lower than the limit of all");
  const NodePtr root = replaced(limit(both, 10)).root;
  ASSERT_TRUE(root->inputs[0]->is<plan::Union>());
  for (const NodePtr& input : root->inputs[0]->inputs) EXPECT_TRUE(input->is<plan::Scan>());
}

TEST(ReplaceLocalLimits, BecomeLimitsElsewhereUnlessTheyHoldMuch) {
  const NodePtr root = replaced(test::filter(local(file_scan(), 10), {0})).root;
  ASSERT_TRUE(root->inputs[0]->is<plan::Limit>());
  EXPECT_EQ(root->inputs[0]->plan_node, 3);
  EXPECT_EQ(root->inputs[0]->as<plan::Limit>().limit, 10);
  EXPECT_TRUE(replaced(test::filter(local(file_scan(), 1000000), {0})).root->inputs[0]->is<plan::Scan>());
}

TEST(ReplaceLocalLimits, AreRefusedAtTheEnd) {
  EXPECT_EQ(replaced(local(file_scan(), 10)).reason,
            "Root: the query ends in a limit of each partition, and the engine has no partitions of Spark's");
}

}  // namespace
}  // namespace accelerant::planner
