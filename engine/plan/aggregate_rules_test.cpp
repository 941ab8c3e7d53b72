#include "base/error.h"
#include "plan/aggregate.h"
#include "plan/binder.h"
#include "plan/final_aggregate.h"
#include "plan/partial_aggregate.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace accelerant::plan {
namespace {

using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

const Column kA{"a", 1, Type(TypeId::Long)};
const Column kB{"b", 2, Type(TypeId::Long)};
const Column kSum{"sum(a)", 20, Type(TypeId::Long)};
const Column kBuffer{"buffer", 30, Type(TypeId::Long)};
const Column kOut{"s", 40, Type(TypeId::Long)};

std::string reason(const SparkPlan& plan, int root) {
  for (const NodeVerdict& node : judge(decode_plan(plan.builder.finish(root))).verdict.nodes) {
    if (!node.reason.empty()) return node.reason;
  }
  return "";
}

BoundPlan bind_plan(const SparkPlan& plan, int root) { return bind(decode_plan(plan.builder.finish(root))); }

/// Adds one step of sum(a) by b.
int step(SparkPlan& plan, std::string_view mode, int child, int filter = -1, const char* function = "Sum") {
  const int key = plan.attribute(kB);
  const int call = plan.call(plan.function(function, plan.attribute(kA), kSum.type), mode, kSum.id, filter);
  if (mode == "Partial") {
    return plan.aggregate({key}, {call}, {plan.attribute(kBuffer)}, {key, plan.attribute(kBuffer)}, child,
                          {kB, kBuffer});
  }
  const int result = plan.attribute(kSum);
  return plan.aggregate({key}, {call}, {result}, {key, plan.alias(result, kOut)}, child, {kB, kOut});
}

TEST(AggregateRules, BindsEachStep) {
  SparkPlan plan;
  const int partial = step(plan, "Partial", plan.scan({kA, kB}));
  const BoundPlan bound = bind_plan(plan, step(plan, "Final", partial));
  ASSERT_TRUE(bound.root->is<FinalAggregate>());
  EXPECT_EQ(bound.root->as<FinalAggregate>().results[0].name, "sum(a)");
  const Node& lower = *bound.root->inputs[0];
  ASSERT_TRUE(lower.is<PartialAggregate>());
  EXPECT_EQ(lower.plan_node, partial);
  EXPECT_EQ(lower.as<PartialAggregate>().given_keys, (ColumnPlaces{0, std::nullopt}));
  EXPECT_EQ(lower.as<PartialAggregate>().calls[0].call->arguments, std::vector<int>{1});
}

TEST(AggregateRules, BindsCompleteAggregates) {
  SparkPlan plan;
  const BoundPlan bound = bind_plan(plan, step(plan, "Complete", plan.scan({kA, kB})));
  EXPECT_EQ(bound.root->describe(), "keys=1 calls=[sum(1)]");
  EXPECT_TRUE(bound.root->fused.empty());
}

TEST(AggregateRules, RefusesUnknownFunctions) {
  SparkPlan odd;
  EXPECT_EQ(reason(odd, step(odd, "Complete", odd.scan({kA, kB}), -1, "Median")), "aggregate Median (Spark 4.3.0)");
}

TEST(AggregateRules, PutsFiltersIntoArguments) {
  SparkPlan plan;
  const int condition = plan.compare("LessThan", plan.attribute(kB), plan.literal(kB.type, {int64_t{5}}));
  const BoundPlan bound = bind_plan(plan, step(plan, "Complete", plan.scan({kA, kB}), condition));
  EXPECT_EQ(bound.root->describe(), "keys=1 calls=[sum(1)]");
  SparkPlan count;
  const int filter = count.compare("LessThan", count.attribute(kB), count.literal(kB.type, {int64_t{5}}));
  const int call = count.call(count.function("Count", count.integer(1), kSum.type), "Complete", kSum.id, filter);
  const int root =
      count.aggregate({}, {call}, {count.attribute(kSum)}, {count.attribute(kSum)}, count.scan({kA, kB}), {kSum});
  const BoundPlan counted = bind_plan(count, root);
  EXPECT_EQ(counted.root->describe(), "keys=0 calls=[count(0)]");
  EXPECT_EQ(counted.partitioning, Partitioning::Single);
}

TEST(AggregateRules, CountsRowsOfAScanWithoutColumns) {
  SparkPlan plan;
  const int call = plan.call(plan.function("Count", plan.integer(1), kSum.type), "Complete", kSum.id);
  const int root = plan.aggregate({}, {call}, {plan.attribute(kSum)}, {plan.attribute(kSum)}, plan.scan({}), {kSum});
  const BoundPlan bound = bind_plan(plan, root);
  EXPECT_EQ(bound.root->describe(), "keys=0 calls=[count(*)]");
  EXPECT_TRUE(bound.root->inputs[0]->output.empty());
}

}  // namespace
}  // namespace accelerant::plan
