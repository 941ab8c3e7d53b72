#include "plan/binder.h"

#include "base/error.h"
#include "plan/aggregate.h"
#include "plan/filter.h"
#include "plan/limit.h"
#include "plan/plan_message.h"
#include "plan/project.h"
#include "plan/scan.h"
#include "plan/sort.h"
#include "plan/test_plans.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace accelerant::plan {
namespace {

using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

const Column kA{"a", 1, Type(TypeId::Long)};
const Column kB{"b", 2, Type(TypeId::Long)};
const Column kC{"c", 3, Type(TypeId::String)};
const std::vector<Column> kABC = {kA, kB, kC};

BoundPlan bind_bytes(const std::vector<uint8_t>& bytes) { return bind(decode_plan(bytes)); }
Verdict check_bytes(const std::vector<uint8_t>& bytes) { return judge(decode_plan(bytes)).verdict; }

/// Returns all reasons of a plan in one text.
std::string reasons(const SparkPlan& plan, int root) {
  const Verdict verdict = check_bytes(plan.builder.finish(root));
  std::string text;
  for (const NodeVerdict& node : verdict.nodes) {
    if (!node.reason.empty()) text += node.operator_name + ": " + node.reason + "\n";
  }
  for (const SettingVerdict& setting : verdict.settings) text += setting.name + ": " + setting.reason + "\n";
  EXPECT_EQ(verdict.supported, text.empty());
  return text;
}

std::string print(const SparkPlan& plan, int root) {
  EXPECT_EQ(reasons(plan, root), "");
  return to_string(*bind_bytes(plan.builder.finish(root)).root);
}

/// Returns the condition a > 0.
int a_is_positive(SparkPlan& plan) {
  return plan.compare("GreaterThan", plan.attribute(kA), plan.literal(Type(TypeId::Long), {int64_t{0}}));
}

TEST(Binder, BindsQ1) {
  const BoundPlan plan = bind_bytes(tpch_q1());
  EXPECT_EQ(plan.partitioning, Partitioning::Shared);
  EXPECT_EQ(plan.time_zone, "UTC");
  const Node& sort = *plan.root;
  ASSERT_TRUE(sort.is<Sort>());
  const Node& aggregate = *sort.inputs.at(0);
  ASSERT_TRUE(aggregate.is<Aggregate>());
  EXPECT_EQ(aggregate.describe(), "keys=2 calls=[sum(2), sum(3), sum(4), sum(5), avg(2), avg(3), avg(6), count(*)]");
  EXPECT_EQ(aggregate.fused.size(), 1u);
  EXPECT_EQ(aggregate.output.at(2).name, "sum_qty");
  EXPECT_FALSE(aggregate.output.at(9).nullable);
  const Node& scan = *aggregate.inputs.at(0);
  ASSERT_TRUE(scan.is<Scan>());
  EXPECT_EQ(plan.scans, std::vector<int>{scan.plan_node});
  const io::ScanSpec& spec = *scan.as<Scan>().spec;
  ASSERT_EQ(spec.columns.size(), 7u);
  EXPECT_TRUE(spec.columns.back().filter_only);
  EXPECT_EQ(spec.columns.back().name, "l_shipdate");
  EXPECT_EQ(spec.filters.size(), 2u);
  EXPECT_EQ(scan.output.size(), 6u);
  EXPECT_EQ(scan.fused.size(), 1u);
}

TEST(Binder, BindsQ6) {
  const BoundPlan plan = bind_bytes(tpch_q6());
  EXPECT_EQ(plan.partitioning, Partitioning::Single);
  ASSERT_TRUE(plan.root->is<Aggregate>());
  const io::ScanSpec& spec = *plan.root->inputs.at(0)->as<Scan>().spec;
  EXPECT_EQ(spec.filters.size(), 8u);
  ASSERT_EQ(spec.columns.size(), 4u);
  EXPECT_EQ(spec.columns[0].name, "l_extendedprice");
  EXPECT_EQ(spec.columns[1].name, "l_discount");
  EXPECT_TRUE(spec.columns[2].filter_only && spec.columns[3].filter_only);
}

TEST(Binder, WritesVerdicts) {
  SparkPlan plan;
  const int scan = plan.scan(kABC);
  const int filter = plan.filter(a_is_positive(plan), scan, kABC);
  const std::string text = check_bytes(plan.builder.finish(filter)).to_text();
  EXPECT_EQ(text, "supported\ttrue\npartitioning\tindependent\nnode\t" + std::to_string(scan) +
                      "\tnative\tFileSourceScan\t\nnode\t" + std::to_string(filter) + "\tnative\tFilter\t\n");
}

TEST(Binder, ChoosesColumnsWithoutANode) {
  SparkPlan plan;
  const int scan = plan.scan(kABC);
  const int filter = plan.filter(a_is_positive(plan), scan, kABC);
  const int root = plan.project({plan.attribute(kC), plan.attribute(kB)}, filter, {kC, kB});
  EXPECT_EQ(print(plan, root), "Project #" + std::to_string(root) + " -> (c string, b bigint)\n  Scan #" +
                                   std::to_string(scan) + " columns=3 filters=1 -> (b bigint, c string)\n");
}

TEST(Binder, ComputesColumns) {
  SparkPlan plan;
  const Column sum{"sum", 9, Type(TypeId::Long)};
  const int add = plan.arithmetic("Add", plan.attribute(kA), plan.attribute(kB), sum.type);
  const int root = plan.project({plan.alias(add, sum)}, plan.scan(kABC), {sum});
  const BoundPlan bound = bind_bytes(plan.builder.finish(root));
  EXPECT_TRUE(bound.root->is<Project>());
  EXPECT_EQ(bound.root->inputs[0]->output.size(), 2u);
  EXPECT_EQ(bound.root->output, (std::vector<OutputColumn>{{"sum", sum.type, true}}));
}

TEST(Binder, FiltersRenamedColumnsAboveTheScan) {
  SparkPlan plan;
  const Column renamed{"x", 9, kA.type};
  const int project = plan.project({plan.alias(plan.attribute(kA), renamed)}, plan.scan(kABC), {renamed});
  const int condition = plan.compare("EqualTo", plan.attribute(renamed), plan.literal(kA.type, {int64_t{3}}));
  const BoundPlan bound = bind_bytes(plan.builder.finish(plan.filter(condition, project, {renamed})));
  EXPECT_TRUE(bound.root->is<Filter>());
  EXPECT_EQ(bound.root->output, (std::vector<OutputColumn>{{"x", kA.type, true}}));
}

TEST(Binder, NamesUnknownThings) {
  SparkPlan plan;
  const int odd =
      plan.builder.expression("Sinh", Type(TypeId::Double), true, {{"child", {NodeReference{plan.attribute(kA)}}}});
  const int root = plan.project({plan.alias(odd, {"x", 9, Type(TypeId::Double)})}, plan.scan(kABC),
                                {{"x", 9, Type(TypeId::Double)}});
  EXPECT_EQ(reasons(plan, root), "Project: expression Sinh (Spark 4.3.0)\n");
  SparkPlan other;
  EXPECT_EQ(reasons(other, other.builder.plan("WindowExec", {})), "Window: operator Window (Spark 4.3.0)\n");
}

TEST(Binder, ConsumesEveryField) {
  SparkPlan plan;
  EXPECT_EQ(reasons(plan, plan.scan(kABC, {{"newField", {true}}})),
            "FileSourceScan: field newField of FileSourceScanExec (Spark 4.3.0)\n");
  SparkPlan function;
  const int odd = function.builder.expression("EqualTo", Type(TypeId::Boolean), true,
                                              {{"left", {NodeReference{function.attribute(kA)}}},
                                               {"right", {NodeReference{function.attribute(kB)}}},
                                               {"fuzzy", {true}}});
  EXPECT_EQ(reasons(function, function.filter(odd, function.scan(kABC), kABC)),
            "Filter: field fuzzy of EqualTo (Spark 4.3.0)\n");
}

TEST(Binder, RefusesUnknownModesAndObjects) {
  SparkPlan plan;
  const int add = plan.arithmetic("Add", plan.attribute(kA), plan.attribute(kB), kA.type, "WEIRD");
  const int root = plan.project({plan.alias(add, {"x", 9, kA.type})}, plan.scan(kABC), {{"x", 9, kA.type}});
  EXPECT_EQ(reasons(plan, root), "Project: field evalContext.evalMode of Add (Spark 4.3.0)\n");
  SparkPlan opaque;
  const int scan = opaque.scan(kABC, {{"options", {Opaque{"x.Y"}}}});
  EXPECT_EQ(reasons(opaque, scan), "FileSourceScan: field options of FileSourceScanExec (Spark 4.3.0)\n");
}

TEST(Binder, FindsManyReasonsInOnePass) {
  SparkPlan plan;
  const Type number(TypeId::Double);
  const int first = plan.builder.expression("Sinh", number, true, {{"child", {NodeReference{plan.attribute(kA)}}}});
  const int second = plan.builder.expression("Cosh", number, true, {{"child", {NodeReference{first}}}});
  const int third = plan.builder.expression("Tanh", number, true, {});
  const Column x{"x", 9, number};
  const Column y{"y", 10, number};
  const int project =
      plan.project({plan.alias(second, x), plan.alias(third, y)}, plan.scan(kABC, {{"bucketed", {true}}}), {x, y});
  plan.builder.setting("spark.sql.legacy.ofTomorrow", "LEGACY");
  plan.builder.setting("spark.sql.shuffle.partitions", "7");
  EXPECT_EQ(reasons(plan, project),
            "FileSourceScan: bucketed table\n"
            "Project: expression Sinh (Spark 4.3.0); expression Cosh (Spark 4.3.0); expression Tanh (Spark 4.3.0)\n"
            "spark.sql.legacy.ofTomorrow: the engine does not know what it changes; leave it unset to run natively\n");
}

TEST(Binder, RefusesOddScans) {
  const auto reason_with = [](const char* field, Value value) {
    SparkPlan plan;
    return reasons(plan, plan.scan(kABC, {{field, std::move(value)}}));
  };
  EXPECT_EQ(reason_with("format", {Text{"a.b.OrcFileFormat"}}), "FileSourceScan: file format OrcFileFormat\n");
  EXPECT_EQ(reason_with("metadataColumns", {List{{{Text{"_metadata"}}}}}), "FileSourceScan: file metadata columns\n");
  EXPECT_EQ(reason_with("options", {Map{{{Text{"ignorecorruptfiles"}}, {Text{"true"}}}}}),
            "FileSourceScan: read option ignorecorruptfiles=true\n");
  EXPECT_EQ(reason_with("options", {Map{{{Text{"mergeschema"}}, {Text{"true"}}}}}), "");
  const auto reason_of_lists = [](const Type& element) {
    SparkPlan plan;
    return reasons(plan, plan.scan({{"l", 1, Type::array(element, true)}}));
  };
  EXPECT_EQ(reason_of_lists(kA.type), "");
  EXPECT_EQ(reason_of_lists(Type(TypeId::CalendarInterval)), "FileSourceScan: column l of type array<interval>\n");
}

TEST(Binder, MapsPartitionColumns) {
  SparkPlan plan;
  const Type required = Type::structure({{"a", kA.type, true}, {"b", kB.type, true}});
  const int root =
      plan.scan(kABC, {{"requiredSchema", {required}},
                       {"partitionSchema", {Type::structure({{"d", kA.type, true}, {"c", kC.type, true}})}}});
  const BoundPlan bound = bind_bytes(plan.builder.finish(root));
  const auto& scan = bound.root->as<Scan>();
  EXPECT_EQ(scan.spec->columns[1].partition_index, -1);
  EXPECT_EQ(scan.spec->columns[2].partition_index, 1);
  EXPECT_EQ(scan.partition_types, (std::vector<Type>{kA.type, kC.type}));
}

TEST(Binder, RefusesMetadataWithAMeaning) {
  SparkPlan plan;
  const int odd = plan.builder.expression(
      "AttributeReference", kA.type, true,
      {{"name", {Text{"a"}}}, {"exprId", {kA.id}}, {"metadata", {Text{"{\"__metadata_col\":true}"}}}});
  EXPECT_EQ(reasons(plan, plan.scan({kA}, {{"output", SparkPlan::nodes({odd})}})),
            "FileSourceScan: field metadata of AttributeReference has __metadata_col (Spark 4.3.0)\n");
}

TEST(Binder, CountsLimitsAsSparkDoes) {
  SparkPlan plan;
  const int root = plan.limit("CollectLimitExec", 13, 3, plan.scan(kABC), kABC);
  const BoundPlan bound = bind_bytes(plan.builder.finish(root));
  EXPECT_EQ(bound.root->describe(), "limit=10 offset=3");
  EXPECT_EQ(bound.partitioning, Partitioning::Single);
  SparkPlan all;
  EXPECT_EQ(bind_bytes(all.builder.finish(all.limit("CollectLimitExec", -1, 4, all.scan(kABC), kABC))).root->describe(),
            "offset=4");
}

TEST(Binder, FusesLocalLimits) {
  SparkPlan plan;
  const int local = plan.limit("LocalLimitExec", 10, 0, plan.scan(kABC), kABC);
  const int root = plan.limit("GlobalLimitExec", 10, 0, local, kABC);
  EXPECT_TRUE(bind_bytes(plan.builder.finish(root)).root->inputs.at(0)->is<Scan>());
  SparkPlan lower;
  const int five = lower.limit("LocalLimitExec", 5, 0, lower.scan(kABC), kABC);
  EXPECT_NE(reasons(lower, lower.limit("GlobalLimitExec", 10, 0, five, kABC)), "");
  SparkPlan alone;
  EXPECT_EQ(reasons(alone, alone.limit("LocalLimitExec", 5, 0, alone.scan(kABC), kABC)),
            "LocalLimit: the query ends in a limit of each partition, and the engine has no partitions of Spark's\n");
}

TEST(Binder, MakesLimitsOfLocalOnesUnlessTheyHoldMuch) {
  for (const int64_t rows : {10, 1000000}) {
    SparkPlan plan;
    const int local = plan.limit("LocalLimitExec", rows, 0, plan.scan(kABC), kABC);
    const int sorted = plan.sort({plan.sort_order(plan.attribute(kB))}, local, kABC);
    const BoundPlan bound = bind_bytes(plan.builder.finish(sorted));
    EXPECT_EQ(bound.root->inputs.at(0)->is<Limit>(), rows == 10);
  }
}

TEST(Binder, SortsByColumnsAndExpressions) {
  SparkPlan plan;
  const int root = plan.sort({plan.sort_order(plan.attribute(kB), false)}, plan.scan(kABC), kABC);
  EXPECT_EQ(bind_bytes(plan.builder.finish(root)).root->describe(), "keys=[1 desc nulls last]");
  SparkPlan computed;
  const int key = computed.arithmetic("Add", computed.attribute(kA), computed.attribute(kB), kA.type);
  const int sorted = computed.sort({computed.sort_order(key)}, computed.scan(kABC), kABC);
  const BoundPlan bound = bind_bytes(computed.builder.finish(sorted));
  ASSERT_TRUE(bound.root->is<Project>());
  EXPECT_EQ(bound.root->output.size(), 3u);
  EXPECT_EQ(bound.root->inputs[0]->describe(), "keys=[3 asc nulls first]");
  SparkPlan local;
  EXPECT_EQ(reasons(local, local.sort({local.sort_order(local.attribute(kB))}, local.scan(kABC), kABC, false)),
            "Sort: the query ends in a sort of each partition, and the engine has no partitions of Spark's\n");
}

TEST(Binder, RefusesRepartitioningByTheUser) {
  const auto exchange = [](std::string_view origin) {
    SparkPlan plan;
    const std::string package = "org.apache.spark.sql.execution.exchange.";
    const std::string class_name = package + std::string(origin);
    const int scan = plan.scan(kABC);
    const int root =
        plan.builder.plan("exchange.ShuffleExchangeExec", {{"outputPartitioning", {Opaque{"x"}}},
                                                           {"child", {NodeReference{scan}}},
                                                           {"shuffleOrigin", SparkPlan::product(class_name)},
                                                           {"advisoryPartitionSize", SparkPlan::nodes({})},
                                                           {"pipelined", {false}}});
    const Verdict verdict = check_bytes(plan.builder.finish(root));
    return verdict.nodes.back().reason;
  };
  EXPECT_EQ(exchange("REPARTITION_BY_NUM"), "a repartition that the program asks for, whose partitions are Spark's");
  EXPECT_EQ(exchange("SOMETHING_NEW"), "field shuffleOrigin of ShuffleExchangeExec is SOMETHING_NEW (Spark 4.3.0)");
  EXPECT_EQ(exchange("ENSURE_REQUIREMENTS").find("shuffleOrigin"), std::string::npos);
  EXPECT_EQ(exchange("ENSURE_REQUIREMENTS").find("pipelined"), std::string::npos);
}

TEST(Binder, RefusesColumnsThatAreNotThere) {
  SparkPlan plan;
  const Column other{"other", 77, kA.type};
  const int root = plan.project({plan.attribute(other)}, plan.scan(kABC), {other});
  EXPECT_EQ(reasons(plan, root), "Project: column other#77 is not among the input's\n");
  SparkPlan typed;
  const Column wrong{"a", 1, kC.type};
  EXPECT_EQ(reasons(typed, typed.project({typed.attribute(wrong)}, typed.scan(kABC), {wrong})),
            "Project: column a#1 is string, the input's is bigint\n");
}

TEST(Binder, ChecksTheOutputThatSparkExpects) {
  SparkPlan plan;
  const int root = plan.project({plan.attribute(kA)}, plan.scan(kABC), {kB});
  EXPECT_EQ(reasons(plan, root),
            "Project: field output of ProjectExec is not what the engine would emit (Spark 4.3.0)\n");
}

}  // namespace
}  // namespace accelerant::plan
