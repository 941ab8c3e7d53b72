#include "planner/local_sorts.h"

#include "plan/local_sort.h"
#include "plan/window.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::above;
using test::file_scan;

constexpr int kRoot = 9;

NodePtr sorted(const NodePtr& input, std::vector<std::optional<int>> keys = {1}) {
  auto node = above<plan::LocalSort>(input);
  node->keys = std::move(keys);
  return node;
}

/// Drops the sorts of a tree and returns the reason against it, if there is one.
std::string reason_against(const NodePtr& root) {
  plan::Verdict verdict;
  verdict.supported = true;
  verdict.nodes = {{0, "Scan", ""}, {5, "Operator", ""}, {kRoot, "Root", ""}};
  drop_local_sorts(root, kRoot, verdict);
  std::string text;
  for (const plan::NodeVerdict& node : verdict.nodes) {
    if (!node.reason.empty()) text += node.operator_name + ": " + node.reason;
  }
  EXPECT_EQ(verdict.supported, text.empty());
  return text;
}

/// Groups sorted rows by a column, and computes a function of another one.
NodePtr aggregate(std::string_view function, const NodePtr& input, int key) {
  auto node = test::grouped(input, {key});
  node->calls.push_back(plan::aggregate_call(function, {0}, {test::kLong}, test::kLong));
  node->plan_node = 5;
  return node;
}

TEST(DropLocalSorts, AreNothingToJoins) {
  plan::Verdict verdict;
  verdict.supported = true;
  const NodePtr root = drop_local_sorts(test::join(sorted(sorted(file_scan())), file_scan()), kRoot, verdict);
  EXPECT_TRUE(root->inputs[0]->is<plan::Scan>());
  EXPECT_TRUE(verdict.supported);
}

/// Puts a window by a, in the order of b, above rows.
NodePtr window(const NodePtr& input) {
  auto node = above<plan::Window>(input);
  node->plan_node = 5;
  node->keys = {{0, true, true}, {1, false, true}};
  node->num_partition_keys = 1;
  node->passed = {0, 1, 2};
  return node;
}

TEST(DropLocalSorts, AreNothingToTheWindowsThatTheyAreFor) {
  EXPECT_EQ(reason_against(window(sorted(file_scan(), {0, 1}))), "");
  EXPECT_EQ(reason_against(window(sorted(sorted(file_scan(), {0, 1}), {0, 1}))), "");
  EXPECT_EQ(reason_against(window(sorted(file_scan(), {0, 2}))), "Operator: over a sort of each partition");
  EXPECT_EQ(reason_against(window(sorted(file_scan(), {0}))), "Operator: over a sort of each partition");
}

TEST(DropLocalSorts, AreNothingToFunctionsThatDoNotMindOrder) {
  EXPECT_EQ(reason_against(aggregate("sum", sorted(file_scan()), 0)), "");
  EXPECT_EQ(reason_against(aggregate("first", sorted(file_scan()), 1)), "");
  EXPECT_EQ(reason_against(aggregate("first", sorted(file_scan()), 0)),
            "Operator: first over a sort of each partition");
  EXPECT_EQ(reason_against(aggregate("first", sorted(sorted(file_scan()), {0}), 0)),
            "Operator: first over a sort of each partition");
  EXPECT_EQ(reason_against(aggregate("first", sorted(file_scan(), {std::nullopt}), 1)),
            "Operator: first over a sort of each partition");
}

TEST(DropLocalSorts, AreRefusedBelowAnythingElse) {
  auto filter = test::filter(sorted(file_scan()), {0});
  filter->plan_node = 5;
  EXPECT_EQ(reason_against(filter), "Operator: over a sort of each partition");
  EXPECT_EQ(reason_against(sorted(filter)), "Operator: over a sort of each partition");
  EXPECT_EQ(reason_against(sorted(file_scan())),
            "Root: the query ends in a sort of each partition, and the engine has no partitions of Spark's");
}

}  // namespace
}  // namespace accelerant::planner
