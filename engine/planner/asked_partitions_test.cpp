#include "planner/asked_partitions.h"

#include "plan/broadcast.h"
#include "plan/exchange.h"
#include "plan/sort.h"
#include "plan/unbound.h"
#include "plan/write_files.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace accelerant::planner {
namespace {

using plan::Asked;
using plan::NodePtr;
using test::above;
using test::file_scan;

constexpr int kExchange = 3;

NodePtr spread(const NodePtr& input, Asked asked) {
  auto node = above<plan::Exchange>(input);
  node->plan_node = kExchange;
  node->asked = asked;
  return node;
}

NodePtr one(const NodePtr& input) { return spread(input, Asked::One); }
NodePtr number(const NodePtr& input) { return spread(input, Asked::Number); }
NodePtr together(const NodePtr& input) { return spread(input, Asked::Together); }

/// What becomes of a tree.
struct Settled {
  plan::BoundPlan plan;
  std::string reason;

  bool drops() const { return reason.empty(); }
};

Settled settled(NodePtr root) {
  Settled result;
  result.plan.root = std::move(root);
  plan::Verdict verdict;
  verdict.supported = true;
  verdict.nodes = {{kExchange, "Exchange", ""}};
  settle_asked_partitions(result.plan, verdict);
  result.reason = verdict.nodes.front().reason;
  return result;
}

TEST(AskedPartitions, OfTheResultAreSparks) {
  const std::string reason = "a repartition that the program asks for, whose partitions are Spark's";
  EXPECT_EQ(settled(number(file_scan())).reason, reason);
  EXPECT_EQ(settled(above<plan::WriteFiles>(together(file_scan()))).reason, reason);
  EXPECT_TRUE(settled(spread(file_scan(), Asked::Nothing)).drops());
}

TEST(AskedPartitions, MayBeASingleOneOfTheResult) {
  const Settled written = settled(above<plan::WriteFiles>(test::filter(one(file_scan()), {0})));
  EXPECT_TRUE(written.drops());
  EXPECT_TRUE(written.plan.is_in_one_part);
  EXPECT_TRUE(written.plan.root->inputs[0]->inputs[0]->is<plan::Scan>());
  const Settled groups = settled(test::grouped(one(file_scan()), {0}));
  EXPECT_TRUE(groups.plan.is_in_one_part);
  EXPECT_FALSE(settled(test::join(one(file_scan(1)), file_scan(2))).drops()) << "what a join makes of it Spark says";
  const Settled spread_again = settled(test::grouped(spread(one(file_scan()), Asked::Nothing), {0}));
  EXPECT_TRUE(spread_again.drops());
  EXPECT_FALSE(spread_again.plan.is_in_one_part);
}

TEST(AskedPartitions, AreASingleOneOfWhatAllWorkersMake) {
  const auto of_all = [](const NodePtr& input) { return spread(input, Asked::OneOfAll); };
  EXPECT_TRUE(settled(of_all(test::filter(test::grouped(file_scan(), {0}), {0}))).plan.is_in_one_part);
  EXPECT_FALSE(settled(of_all(test::filter(file_scan(), {0}))).drops()) << "a single worker would read the files";
  EXPECT_TRUE(settled(test::grouped(of_all(file_scan()), {0})).reason != "") << "whose groups are in one partition";
}

TEST(AskedPartitions, MayBeOfWhatCouldNotBeBound) {
  for (const Asked asked : {Asked::Nothing, Asked::Number, Asked::Together, Asked::One, Asked::OneOfAll}) {
    const auto unbound = std::make_shared<plan::Unbound>();
    unbound->output = file_scan()->output;
    const bool is_single = asked == Asked::One;
    EXPECT_EQ(settled(spread(unbound, asked)).drops(), is_single || asked == Asked::Nothing);
    const NodePtr between = above<plan::Unbound>(spread(unbound, asked));
    EXPECT_EQ(settled(test::grouped(between, {0})).drops(), asked == Asked::Nothing);
  }
}

TEST(AskedPartitions, ShowNoMoreAboveWhatSpreadsRowsAnew) {
  EXPECT_TRUE(settled(test::grouped(number(file_scan()), {0})).drops());
  EXPECT_FALSE(settled(test::grouped(together(file_scan()), {0})).drops()) << "groups may stay where they are";
  EXPECT_TRUE(settled(above<plan::Sort>(together(file_scan()))).drops());
  EXPECT_TRUE(settled(test::join(file_scan(1), above<plan::Broadcast>(number(file_scan(2))))).drops());
  EXPECT_TRUE(settled(test::grouped(test::join(number(file_scan(1)), file_scan(2)), {0})).drops());
  EXPECT_TRUE(settled(spread(together(file_scan()), Asked::Nothing)).drops());
}

TEST(AskedPartitions, ShowInValuesThatDependOnTheOrderOfRows) {
  const auto groups = [](std::string_view function) {
    auto node = test::grouped(number(file_scan()), {0});
    node->calls.push_back(plan::aggregate_call(function, {0}, {test::kLong}, test::kLong));
    return node;
  };
  EXPECT_TRUE(settled(groups("max")).drops());
  EXPECT_FALSE(settled(groups("first")).drops());
}

TEST(AskedPartitions, OfValuesShowNowhere) {
  plan::BoundPlan plan;
  plan.subqueries = {above<plan::WriteFiles>(together(file_scan()))};
  plan::Verdict verdict;
  verdict.nodes = {{kExchange, "Exchange", ""}};
  settle_asked_partitions(plan, verdict);
  EXPECT_EQ(verdict.nodes.front().reason, "");
  EXPECT_TRUE(plan.subqueries.front()->inputs.front()->is<plan::Scan>());
}

}  // namespace
}  // namespace accelerant::planner
