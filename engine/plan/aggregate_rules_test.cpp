#include "base/error.h"
#include "plan/aggregate.h"
#include "plan/binder.h"
#include "plan/final_aggregate.h"
#include "plan/partial_aggregate.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"
#include "plan/test_steps.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace accelerant::plan {
namespace {

using test::first_reason;
using test::kA;
using test::kB;
using test::kSum;
using test::step;
using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

std::string reason(const SparkPlan& plan, int root) {
  return first_reason(judge(decode_plan(plan.builder.finish(root))).verdict);
}

BoundPlan bind_plan(const SparkPlan& plan, int root) { return bind(decode_plan(plan.builder.finish(root))); }

TEST(AggregateRules, BindsEachStep) {
  SparkPlan plan;
  const int partial = step(plan, "Partial", plan.scan({kA, kB}));
  const BoundPlan bound = bind_plan(plan, step(plan, "Final", partial));
  ASSERT_TRUE(bound.root->is<FinalAggregate>());
  EXPECT_EQ(bound.root->as<FinalAggregate>().results[0].name, "sum(a)");
  const Node& lower = *bound.root->inputs[0];
  ASSERT_TRUE(lower.is<PartialAggregate>());
  EXPECT_EQ(lower.plan_node, partial);
  EXPECT_EQ(lower.as<PartialAggregate>().given_keys, (ColumnPositions{0, std::nullopt}));
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

TEST(AggregateRules, GroupsByMapsWithoutFloatsAmongTheirKeys) {
  const auto reason_by = [](const Type& key, const Type& value) {
    SparkPlan plan;
    const Column map{"m", 5, Type::map(key, value, true)};
    return reason(plan, plan.aggregate({plan.attribute(map)}, {}, {}, {plan.attribute(map)}, plan.scan({map}), {map}));
  };
  EXPECT_EQ(reason_by(Type(TypeId::Int), Type(TypeId::Double)), "");
  EXPECT_EQ(reason_by(Type(TypeId::Float), Type(TypeId::Int)), "group by a column of type map<float,int>");
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
