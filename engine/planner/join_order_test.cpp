#include "planner/join_order.h"

#include "plan/project.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::join;
using test::kLong;
using test::scan_of;

/// Joins by chosen columns.
std::shared_ptr<plan::Join> joined(const NodePtr& left, int left_key, const NodePtr& right, int right_key) {
  auto node = join(left, right);
  node->left_keys = test::columns({left_key});
  node->right_keys = test::columns({right_key});
  return node;
}

NodePtr ordered(const NodePtr& root, const Tables& tables) {
  Estimator estimator(tables);
  return order_joins(root, estimator);
}

/// Shows a tree of joins, its scans by their numbers: "((0 1) 2)".
std::string shape(const NodePtr& node) {
  if (node->is<plan::Scan>()) return std::to_string(node->plan_node);
  if (node->is<plan::Project>()) return shape(node->inputs[0]);
  return "(" + shape(node->inputs[0]) + " " + shape(node->inputs[1]) + ")";
}

/// Follows a column down to the scan that it is of: "0.a".
std::string origin(const NodePtr& node, int column) {
  if (node->is<plan::Scan>()) {
    return std::to_string(node->plan_node) + "." + node->output[static_cast<size_t>(column)].name;
  }
  if (node->is<plan::Project>()) {
    return origin(node->inputs[0], *node->as<plan::Project>().program->input_of(column));
  }
  const auto num_left = static_cast<int>(node->inputs[0]->output.size());
  return column < num_left ? origin(node->inputs[0], column) : origin(node->inputs[1], column - num_left);
}

std::vector<std::string> origins(const NodePtr& node) {
  std::vector<std::string> all;
  for (size_t i = 0; i < node->output.size(); ++i) all.push_back(origin(node, static_cast<int>(i)));
  return all;
}

/// Collects the pairs of columns that joins compare.
void collect_keys(const NodePtr& node, std::set<std::set<std::string>>& keys) {
  for (const NodePtr& input : node->inputs) collect_keys(input, keys);
  if (!node->is<plan::Join>()) return;
  const auto& join = node->as<plan::Join>();
  for (int i = 0; i < join.left_keys->num_outputs(); ++i) {
    keys.insert({origin(node->inputs[0], *join.left_keys->input_of(i)),
                 origin(node->inputs[1], *join.right_keys->input_of(i))});
  }
}

/// A large table that is joined with a middling one, and then with one of few rows.
struct Star {
  Tables tables;
  NodePtr facts = scan_of(tables, 1000000, {99999, 999, 9});
  NodePtr middling = scan_of(tables, 100000, {99999, 9, 9});
  NodePtr few = scan_of(tables, 10, {999, 9, 9});
  NodePtr root = joined(joined(facts, 0, middling, 0), 1, few, 0);
};

TEST(OrderJoins, JoinsWhatLeavesFewRowsFirst) {
  const Star star;
  const NodePtr better = ordered(star.root, star.tables);
  EXPECT_EQ(shape(star.root), "((0 1) 2)");
  EXPECT_EQ(shape(better), "((0 2) 1)");
  EXPECT_EQ(origins(better), origins(star.root));
  std::set<std::set<std::string>> before;
  std::set<std::set<std::string>> after;
  collect_keys(star.root, before);
  collect_keys(better, after);
  EXPECT_EQ(after, before);
}

TEST(OrderJoins, KeepsSparksOrderWhereNothingIsGained) {
  Tables tables;
  const auto facts = scan_of(tables, 1000, {99, 99, 99});
  const auto root =
      joined(joined(facts, 0, scan_of(tables, 100, {99, 9, 9}), 0), 1, scan_of(tables, 100, {99, 9, 9}), 0);
  EXPECT_EQ(ordered(root, tables), root);
}

TEST(OrderJoins, LooksThroughProjectionsThatOnlyChooseColumns) {
  Star star;
  const auto choice = test::above<plan::Project>(star.root->inputs[0]);
  choice->program = test::columns({1, 3});
  choice->output = {{"x", kLong}, {"y", kLong}};
  const auto root = joined(choice, 0, star.few, 0);
  const NodePtr better = ordered(root, star.tables);
  EXPECT_EQ(shape(better), "((0 2) 1)");
  EXPECT_EQ(origins(better), (std::vector<std::string>{"0.b", "1.a", "2.a", "2.b", "2.c"}));
}

TEST(OrderJoins, PutsConditionsWhereAllTheirInputsAre) {
  Star star;
  auto& first = static_cast<plan::Join&>(const_cast<plan::Node&>(*star.root->inputs[0]));
  expressions::ProgramBuilder builder;
  const auto less = builder.call("org.apache.spark.sql.catalyst.expressions.LessThan",
                                 {builder.input(2, kLong, true), builder.input(5, kLong, true)},
                                 types::DataType(types::TypeId::Boolean), expressions::EvalMode::Ansi, 1);
  first.condition = std::move(builder).finish({&less, 1});
  const NodePtr better = ordered(star.root, star.tables);
  ASSERT_EQ(shape(better), "((0 2) 1)");
  const auto& top = better->inputs[0]->as<plan::Join>();
  ASSERT_TRUE(top.condition);
  EXPECT_EQ(origin(better->inputs[0], top.condition->inputs()[0]), "0.c");
  EXPECT_EQ(origin(better->inputs[0], top.condition->inputs()[1]), "1.c");
  EXPECT_FALSE(top.inputs[0]->as<plan::Join>().condition);
}

/// Facts refer to two tables by the same key, and to one of these by another key too.
TEST(OrderJoins, JoinsWhatIsEqualToTheSame) {
  Tables tables;
  const auto facts = scan_of(tables, 1000000, {99999, 999, 9});
  const auto few = scan_of(tables, 50000, {99999, 9, 9});
  const auto pairs = scan_of(tables, 400000, {99999, 999, 9});
  const auto lower = joined(facts, 0, few, 0);
  const auto root = join(lower, pairs);
  root->left_keys = test::columns({0, 1});
  root->right_keys = test::columns({0, 1});
  const NodePtr better = ordered(root, tables);
  ASSERT_EQ(shape(better), "(0 (1 2))");
  EXPECT_EQ(origins(better), origins(root));
  std::set<std::set<std::string>> keys;
  collect_keys(better, keys);
  EXPECT_TRUE(keys.contains({"1.a", "2.a"})) << "Spark's plan does not compare these";
  EXPECT_TRUE(keys.contains({"0.b", "2.b"}));
  EXPECT_EQ(keys.size(), 3u) << "one of the keys 0.a = 1.a and 0.a = 2.a says both";
}

/// Two columns of one table are equal to a third one's: that ties them to each other where these meet, not before.
TEST(OrderJoins, KeepsEqualitiesOfTwoColumnsOfATable) {
  Tables tables;
  const auto facts = scan_of(tables, 1000000, {99999, 99999, 9});
  const auto middling = scan_of(tables, 100000, {99999, 9, 9});
  const auto few = scan_of(tables, 10, {99999, 9, 9});
  const auto lower = join(facts, middling);
  lower->left_keys = test::columns({0, 1});
  lower->right_keys = test::columns({0, 0});
  const auto root = joined(lower, 0, few, 0);
  const NodePtr better = ordered(root, tables);
  std::set<std::set<std::string>> before;
  std::set<std::set<std::string>> after;
  collect_keys(root, before);
  collect_keys(better, after);
  EXPECT_EQ(after, before);
}

TEST(OrderJoins, LeavesOtherJoinsInTheirPlaces) {
  for (const auto type : {plan::JoinType::LeftOuter, plan::JoinType::LeftSemi, plan::JoinType::FullOuter}) {
    const Star star;
    const auto outer = join(star.root->inputs[0], star.few, type);
    EXPECT_EQ(ordered(outer, star.tables), outer) << to_string(type);
  }
}

/// A row in error counts where Spark evaluates it.
TEST(OrderJoins, LeavesJoinsOfWhatMayFailInTheirPlaces) {
  Star star;
  expressions::ProgramBuilder builder;
  const auto column = builder.input(0, kLong, true);
  const auto sum = builder.call("org.apache.spark.sql.catalyst.expressions.Add", {column, column}, kLong,
                                expressions::EvalMode::Ansi, 1);
  const auto failing = test::above<plan::Project>(star.few);
  failing->program = std::move(builder).finish(std::vector<expressions::Slot>{sum, column, column});
  const auto root = joined(star.root->inputs[0], 1, failing, 1);
  EXPECT_EQ(ordered(root, star.tables), root);
}

/// A chain of tables, each larger than the one before: more than are searched.
TEST(OrderJoins, OrdersManyInputsToo) {
  for (const int num_inputs : {9, 10, 11, 31}) {
    Tables tables;
    std::vector<NodePtr> inputs;
    for (int i = 0; i < num_inputs; ++i) inputs.push_back(scan_of(tables, 1000 * (num_inputs - i), {999, 999, 9}));
    NodePtr root = inputs[0];
    for (int i = 1; i < num_inputs; ++i) root = joined(root, 3 * (i - 1) + 1, inputs[static_cast<size_t>(i)], 0);
    const NodePtr better = ordered(root, tables);
    EXPECT_EQ(origins(better), origins(root));
    std::set<std::set<std::string>> before;
    std::set<std::set<std::string>> after;
    collect_keys(root, before);
    collect_keys(better, after);
    EXPECT_EQ(after, before);
  }
}

}  // namespace
}  // namespace accelerant::planner
