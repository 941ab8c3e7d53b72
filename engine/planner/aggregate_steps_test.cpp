#include "planner/aggregate_steps.h"

#include "plan/aggregate.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"
#include "plan/test_steps.h"
#include "planner/judge_query.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace accelerant::planner {
namespace {

using plan::Aggregate;
using plan::SparkPlan;
using plan::test::first_reason;
using plan::test::kA;
using plan::test::kB;
using plan::test::kBuffer;
using plan::test::kOut;
using plan::test::kSum;
using plan::test::step;
using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

/// Returns the first reason against a plan and the node's name; empty: there is none.
std::string reason(const SparkPlan& plan, int root) {
  return first_reason(judge_query(plan::decode_plan(plan.builder.finish(root))).verdict);
}

plan::BoundPlan plan_of(const SparkPlan& plan, int root) {
  EXPECT_EQ(reason(plan, root), "");
  return judge_query(plan::decode_plan(plan.builder.finish(root))).plan;
}

TEST(JoinAggregateSteps, MakesOneOfPartialAndFinal) {
  SparkPlan plan;
  const int partial = step(plan, "Partial", plan.scan({kA, kB}));
  const plan::BoundPlan bound = plan_of(plan, step(plan, "Final", partial));
  ASSERT_TRUE(bound.root->is<Aggregate>());
  const auto& node = bound.root->as<Aggregate>();
  EXPECT_EQ(node.describe(), "keys=1 calls=[sum(1)]");
  EXPECT_EQ(node.fused, std::vector<int>{partial});
  EXPECT_FALSE(node.adds_few_in_order);  // integers are exact anyway
  EXPECT_EQ(node.calls[0].mode, expressions::EvalMode::Ansi);
  EXPECT_EQ(node.output, (std::vector<plan::OutputColumn>{{"b", kB.type, true}, {"s", kOut.type, true}}));
  EXPECT_EQ(bound.partitioning, plan::Partitioning::Shared);
}

TEST(JoinAggregateSteps, RefusesStepsThatDoNotPair) {
  SparkPlan partial;
  EXPECT_EQ(reason(partial, step(partial, "Partial", partial.scan({kA, kB}))),
            "the query ends in a partial aggregate, and the engine has no partitions of Spark's");
  SparkPlan final;
  EXPECT_EQ(reason(final, step(final, "Final", final.scan({kA, kB}))), "a final aggregate without its partial one");
  SparkPlan merge;
  EXPECT_EQ(reason(merge, step(merge, "PartialMerge", merge.scan({kA, kB}))),
            "a merge of aggregates without their partial ones");
  SparkPlan filter;
  const int lower = step(filter, "Partial", filter.scan({kA, kB}));
  const int condition = filter.unary("IsNotNull", filter.attribute(kB), Type(TypeId::Boolean));
  EXPECT_EQ(reason(filter, filter.filter(condition, lower, {kB, kBuffer})), "over a partial aggregate");
  SparkPlan sorted;
  const int steps = step(sorted, "Partial", sorted.scan({kA, kB}));
  const int sort = sorted.sort({sorted.sort_order(sorted.attribute(kB))}, steps, {kB, kBuffer}, false);
  const int not_null = sorted.unary("IsNotNull", sorted.attribute(kB), Type(TypeId::Boolean));
  EXPECT_EQ(reason(sorted, sorted.filter(not_null, sort, {kB, kBuffer})), "over a partial aggregate");
  SparkPlan other;
  const int max = step(other, "Partial", other.scan({kA, kB}), -1, "Max");
  EXPECT_EQ(reason(other, step(other, "Final", max)), "a final aggregate over a partial one that does not match");
}

TEST(JoinAggregateSteps, AreRefusedWhereTheyEnd) {
  SparkPlan plan;
  const int partial = step(plan, "Partial", plan.scan({kA, kB}), -1, "Median");
  const int final = step(plan, "Final", partial, -1, "Median");
  const plan::Verdict verdict = judge_query(plan::decode_plan(plan.builder.finish(final))).verdict;
  for (const plan::NodeVerdict& node : verdict.nodes) {
    EXPECT_EQ(node.reason, node.plan_node == final ? "aggregate Median (Spark 4.3.0)" : "");
  }
}

TEST(JoinAggregateSteps, SayNothingOfStepsAboveTheUnknown) {
  SparkPlan plan;
  const int odd = plan.filter(plan.integer(1), step(plan, "Partial", plan.scan({kA, kB})), {kB, kBuffer});
  const int final = step(plan, "Final", odd);
  const plan::Verdict verdict = judge_query(plan::decode_plan(plan.builder.finish(final))).verdict;
  for (const plan::NodeVerdict& node : verdict.nodes) EXPECT_EQ(node.reason.empty(), node.plan_node != odd);
}

TEST(JoinAggregateSteps, LeaveOutSortsBetweenThem) {
  SparkPlan plan;
  const int partial = step(plan, "Partial", plan.scan({kA, kB}));
  const int sort = plan.sort({plan.sort_order(plan.attribute(kB))}, partial, {kB, kBuffer}, false);
  EXPECT_TRUE(plan_of(plan, step(plan, "Final", sort)).root->inputs[0]->inputs.empty());
}

const Column kC{"c", 3, Type(TypeId::Long)};
const Column kCount{"count(c)", 21, Type(TypeId::Long), false};
const Column kBuffer2{"buffer2", 31, Type(TypeId::Long)};

/// Adds the two upper steps of count(distinct c) by b, beside sum(a) if `sum` is not -1.
int distinct_steps(SparkPlan& plan, int child, int sum) {
  const int count = plan.function("Count", plan.attribute(kC), kCount.type);
  const int key = plan.attribute(kB);
  std::vector<int> lower;
  std::vector<int> upper;
  std::vector<Column> results;
  if (sum >= 0) {
    lower.push_back(plan.call(sum, "PartialMerge", kSum.id));
    upper.push_back(plan.call(sum, "Final", kSum.id));
    results.push_back(kSum);
  }
  lower.push_back(plan.call(count, "Partial", 50, -1, true));
  upper.push_back(plan.call(count, "Final", 51, -1, true));
  results.push_back(kCount);
  std::vector<int> attributes;
  for (const Column& result : results) attributes.push_back(plan.attribute(result));
  const int buffers[] = {plan.attribute(kBuffer), plan.attribute(kBuffer2)};
  const int partial =
      plan.aggregate({key}, lower, {buffers[0]}, {key, buffers[0], buffers[1]}, child, {kB, kBuffer, kBuffer2});
  return plan.aggregate({key}, upper, attributes, attributes, partial, results);
}

TEST(JoinAggregateSteps, MakesOneOfDistinctFunctionsBesideOthers) {
  SparkPlan plan;
  const std::vector<int> keys = {plan.attribute(kB), plan.attribute(kC)};
  const int sum = plan.function("Sum", plan.attribute(kA), kSum.type);
  const int buffer = plan.attribute(kBuffer);
  int child = plan.scan({kA, kB, kC});
  for (const char* mode : {"Partial", "PartialMerge"}) {
    child = plan.aggregate(keys, {plan.call(sum, mode, kSum.id)}, {buffer}, {keys[0], keys[1], buffer}, child,
                           {kB, kC, kBuffer});
  }
  const plan::BoundPlan bound = plan_of(plan, distinct_steps(plan, child, sum));
  EXPECT_EQ(bound.root->describe(), "keys=1 calls=[sum(2), count(distinct 1)]");
  EXPECT_FALSE(bound.root->as<Aggregate>().adds_few_in_order);
  EXPECT_EQ(bound.root->fused.size(), 3u);
  EXPECT_TRUE(bound.root->inputs[0]->inputs.empty());
}

TEST(JoinAggregateSteps, LeavesDistinctFunctionsAloneAsSparkHasThem) {
  SparkPlan plan;
  const std::vector<int> keys = {plan.attribute(kB), plan.attribute(kC)};
  int child = plan.scan({kB, kC});
  for (int step = 0; step < 2; ++step) child = plan.aggregate(keys, {}, {}, keys, child, {kB, kC});
  const plan::BoundPlan bound = plan_of(plan, distinct_steps(plan, child, -1));
  EXPECT_EQ(bound.root->describe(), "keys=1 calls=[count(1)]");
  EXPECT_EQ(bound.root->inputs[0]->describe(), "keys=2 calls=[]");
}

TEST(JoinAggregateSteps, RefusesMergesThatDoNotMatch) {
  SparkPlan plan;
  const int sum = plan.function("Sum", plan.attribute(kA), kSum.type);
  const int key = plan.attribute(kB);
  const int buffer = plan.attribute(kBuffer);
  const int partial = plan.aggregate({key, plan.attribute(kA)}, {plan.call(sum, "Partial", kSum.id)}, {buffer},
                                     {key, buffer}, plan.scan({kA, kB, kC}), {kB, kBuffer});
  const int merge =
      plan.aggregate({key}, {plan.call(sum, "PartialMerge", kSum.id)}, {buffer}, {key, buffer}, partial, {kB, kBuffer});
  EXPECT_EQ(reason(plan, distinct_steps(plan, merge, sum)), "a final aggregate over a partial one that does not match");
}

}  // namespace
}  // namespace accelerant::planner
