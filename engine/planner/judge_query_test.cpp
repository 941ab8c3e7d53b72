#include "planner/judge_query.h"

#include "plan/aggregate.h"
#include "plan/plan_message.h"
#include "plan/scan.h"
#include "plan/sort.h"
#include "plan/test_plans.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::planner {
namespace {

using plan::Node;
using plan::SparkPlan;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;
using types::TypeId;

const Column kA{"a", 1, Type(TypeId::Long)};
const Column kB{"b", 2, Type(TypeId::Long)};
const Column kC{"c", 3, Type(TypeId::String)};
const std::vector<Column> kABC = {kA, kB, kC};

plan::BoundPlan plan_of(const std::vector<uint8_t>& message) {
  plan::Judgement judgement = judge_query(plan::decode_plan(message));
  plan::throw_unless_supported(judgement.verdict);
  EXPECT_EQ(judgement.verdict.partitioning, judgement.plan.partitioning);
  return std::move(judgement.plan);
}

std::string print(const SparkPlan& plan, int root) { return plan::to_string(*plan_of(plan.builder.finish(root)).root); }

TEST(JudgeQuery, PlansQ1) {
  const plan::BoundPlan plan = plan_of(plan::tpch_q1());
  EXPECT_EQ(plan.partitioning, plan::Partitioning::Shared);
  const Node& sort = *plan.root;
  ASSERT_TRUE(sort.is<plan::Sort>());
  const Node& aggregate = *sort.inputs.at(0);
  ASSERT_TRUE(aggregate.is<plan::Aggregate>());
  EXPECT_EQ(aggregate.describe(), "keys=2 calls=[sum(2), sum(3), sum(4), sum(5), avg(2), avg(3), avg(6), count(*)]");
  EXPECT_EQ(aggregate.fused.size(), 1u);
  EXPECT_EQ(aggregate.output.at(2).name, "sum_qty");
  EXPECT_FALSE(aggregate.output.at(9).nullable);
  const Node& scan = *aggregate.inputs.at(0);
  ASSERT_TRUE(scan.is<plan::Scan>());
  EXPECT_EQ(plan.scans, std::vector<int>{scan.plan_node});
  const io::ScanSpec& spec = *scan.as<plan::Scan>().spec;
  ASSERT_EQ(spec.columns.size(), 7u);
  EXPECT_TRUE(spec.columns.back().filter_only);
  EXPECT_EQ(spec.columns.back().name, "l_shipdate");
  EXPECT_EQ(spec.filters.size(), 2u);
  EXPECT_EQ(scan.output.size(), 6u);
  EXPECT_EQ(scan.fused.size(), 1u);
}

TEST(JudgeQuery, PlansQ6) {
  const plan::BoundPlan plan = plan_of(plan::tpch_q6());
  EXPECT_EQ(plan.partitioning, plan::Partitioning::Single);
  ASSERT_TRUE(plan.root->is<plan::Aggregate>());
  const io::ScanSpec& spec = *plan.root->inputs.at(0)->as<plan::Scan>().spec;
  EXPECT_EQ(spec.filters.size(), 8u);
  ASSERT_EQ(spec.columns.size(), 4u);
  EXPECT_EQ(spec.columns[0].name, "l_extendedprice");
  EXPECT_EQ(spec.columns[1].name, "l_discount");
  EXPECT_TRUE(spec.columns[2].filter_only && spec.columns[3].filter_only);
}

TEST(JudgeQuery, ChoosesColumnsOnceAtTheTop) {
  SparkPlan plan;
  const int scan = plan.scan(kABC);
  const int condition = plan.compare("GreaterThan", plan.attribute(kA), plan.literal(kA.type, {int64_t{0}}));
  const int filter = plan.filter(condition, scan, kABC);
  const int root = plan.project({plan.attribute(kC), plan.attribute(kB)}, filter, {kC, kB});
  EXPECT_EQ(print(plan, root), "Project #" + std::to_string(root) + " -> (c string, b bigint)\n  Scan #" +
                                   std::to_string(scan) + " columns=3 filters=1 -> (b bigint, c string)\n");
}

TEST(JudgeQuery, ReadsOnlyWhatIsComputedOf) {
  SparkPlan plan;
  const Column sum{"sum", 9, kA.type};
  const int add = plan.arithmetic("Add", plan.attribute(kA), plan.attribute(kB), sum.type);
  const int scan = plan.scan(kABC);
  const int root = plan.project({plan.alias(add, sum)}, scan, {sum});
  EXPECT_EQ(print(plan, root), "Project #" + std::to_string(root) + " -> (sum bigint)\n  Scan #" +
                                   std::to_string(scan) + " columns=2 filters=0 -> (a bigint, b bigint)\n");
}

TEST(JudgeQuery, PushesFiltersOfRenamedColumns) {
  SparkPlan plan;
  const Column renamed{"x", 9, kA.type};
  const int scan = plan.scan(kABC);
  const int project = plan.project({plan.alias(plan.attribute(kA), renamed)}, scan, {renamed});
  const int condition = plan.compare("EqualTo", plan.attribute(renamed), plan.literal(kA.type, {int64_t{3}}));
  EXPECT_EQ(print(plan, plan.filter(condition, project, {renamed})),
            "Scan #" + std::to_string(scan) + " columns=1 filters=1 -> (x bigint)\n");
}

/// Returns all reasons of a plan in one text.
std::string reasons(const SparkPlan& plan, int root) {
  const plan::Verdict verdict = judge_query(plan::decode_plan(plan.builder.finish(root))).verdict;
  std::string text;
  for (const plan::NodeVerdict& node : verdict.nodes) {
    if (!node.reason.empty()) text += node.operator_name + ": " + node.reason + "\n";
  }
  EXPECT_EQ(verdict.supported, text.empty());
  return text;
}

int local_sort(SparkPlan& plan) {
  return plan.sort({plan.sort_order(plan.attribute(kB))}, plan.scan(kABC), kABC, false);
}

int local_limit(SparkPlan& plan) { return plan.limit("LocalLimitExec", 5, 0, plan.scan(kABC), kABC); }

TEST(JudgeQuery, RefusesPlansThatEndInPartitions) {
  SparkPlan limited;
  EXPECT_EQ(reasons(limited, local_limit(limited)),
            "LocalLimit: the query ends in a limit of each partition, and the engine has no partitions of Spark's\n");
  SparkPlan sorted;
  EXPECT_EQ(reasons(sorted, local_sort(sorted)),
            "Sort: the query ends in a sort of each partition, and the engine has no partitions of Spark's\n");
}

TEST(JudgeQuery, RefusesWhatMindsPartitions) {
  SparkPlan limited;
  EXPECT_EQ(reasons(limited, limited.limit("GlobalLimitExec", 10, 0, local_limit(limited), kABC)),
            "GlobalLimit: a limit of each partition that is lower than the limit of all\n");
  SparkPlan sorted;
  EXPECT_EQ(reasons(sorted, sorted.limit("GlobalLimitExec", 10, 0, local_sort(sorted), kABC)),
            "GlobalLimit: over a sort of each partition\n");
}

TEST(JudgeQuery, FindsReasonsBesideThoseOfTheBinder) {
  SparkPlan plan;
  const int filter = plan.filter(plan.integer(1), local_limit(plan), kABC);
  const int sort = plan.sort({plan.sort_order(plan.attribute(kB))}, filter, kABC, false);
  EXPECT_EQ(reasons(plan, plan.limit("GlobalLimitExec", 10, 0, sort, kABC)),
            "Filter: a filter of type int\nGlobalLimit: over a sort of each partition\n");
  SparkPlan ended;
  const int odd = ended.filter(ended.integer(1), ended.scan(kABC), kABC);
  EXPECT_EQ(reasons(ended, ended.sort({ended.sort_order(ended.attribute(kB))}, odd, kABC, false)),
            "Filter: a filter of type int\n");
}

TEST(JudgeQuery, SortsByComputedKeysAndLeavesThemOut) {
  SparkPlan plan;
  const int key = plan.arithmetic("Add", plan.attribute(kA), plan.attribute(kB), kA.type);
  const int scan = plan.scan(kABC);
  const int root = plan.sort({plan.sort_order(key)}, scan, kABC);
  const std::string number = "#" + std::to_string(root);
  EXPECT_EQ(print(plan, root),
            "Project " + number + " -> (a bigint, b bigint, c string)\n  Sort " + number +
                " keys=[3 asc nulls first] -> (a bigint, b bigint, c string, sort key bigint)\n    Project " + number +
                " -> (a bigint, b bigint, c string, sort key bigint)\n      Scan #" + std::to_string(scan) +
                " columns=3 filters=0 -> (a bigint, b bigint, c string)\n");
}

TEST(JudgeQuery, GroupsOnceWithoutFunctions) {
  SparkPlan plan;
  const int scan = plan.scan(kABC);
  const int key = plan.attribute(kB);
  const int partial = plan.aggregate({key}, {}, {}, {key}, scan, {kB});
  const int root = plan.aggregate({key}, {}, {}, {key}, partial, {kB});
  const plan::BoundPlan bound = plan_of(plan.builder.finish(root));
  EXPECT_EQ(bound.root->describe(), "keys=1 calls=[]");
  EXPECT_TRUE(bound.root->inputs[0]->is<plan::Scan>());
  EXPECT_EQ(bound.root->fused, std::vector<int>{root});
}

TEST(JudgeQuery, RewritesNothingThatIsUnsupported) {
  SparkPlan plan;
  const plan::Judgement judgement = judge_query(
      plan::decode_plan(plan.builder.finish(plan.scan(kABC, {{"format", {plan::Text{"no.such.Format"}}}}))));
  EXPECT_FALSE(judgement.verdict.supported);
  EXPECT_EQ(judgement.plan.root, nullptr);
}

}  // namespace
}  // namespace accelerant::planner
