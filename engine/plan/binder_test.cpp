#include "plan/binder.h"

#include "base/error.h"
#include "plan/exchange.h"
#include "plan/filter.h"
#include "plan/final_aggregate.h"
#include "plan/limit.h"
#include "plan/local_limit.h"
#include "plan/local_sort.h"
#include "plan/partial_aggregate.h"
#include "plan/plan_message.h"
#include "plan/project.h"
#include "plan/scan.h"
#include "plan/sort.h"
#include "plan/test_plans.h"
#include "plan/unbound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

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

TEST(Binder, BindsOneNodeForEachOfSparks) {
  const BoundPlan plan = bind_bytes(tpch_q6());
  EXPECT_EQ(plan.time_zone, "UTC");
  ASSERT_TRUE(plan.root->is<FinalAggregate>());
  const Node& partial = *plan.root->inputs.at(0);
  ASSERT_TRUE(partial.is<PartialAggregate>());
  const Node& project = *partial.inputs.at(0);
  ASSERT_TRUE(project.is<Project>());
  const Node& filter = *project.inputs.at(0);
  ASSERT_TRUE(filter.is<Filter>());
  EXPECT_EQ(filter.describe(), "conjuncts=8");
  const Node& scan = *filter.inputs.at(0);
  EXPECT_EQ(scan.describe(), "columns=4 filters=0");
  EXPECT_EQ(plan.scans, std::vector<int>{scan.plan_node});
}

TEST(Binder, WritesVerdicts) {
  SparkPlan plan;
  const int scan = plan.scan(kABC);
  const int filter = plan.filter(a_is_positive(plan), scan, kABC);
  const std::string text = check_bytes(plan.builder.finish(filter)).to_text();
  EXPECT_EQ(text, "supported\ttrue\npartitioning\tindependent\nnode\t" + std::to_string(scan) +
                      "\tnative\tFileSourceScan\t\nnode\t" + std::to_string(filter) + "\tnative\tFilter\t\n");
}

TEST(Binder, ProjectsChosenAndComputedColumns) {
  SparkPlan plan;
  const Column sum{"sum", 9, Type(TypeId::Long)};
  const int add = plan.arithmetic("Add", plan.attribute(kA), plan.attribute(kB), sum.type);
  const int scan = plan.scan(kABC);
  const int computed = plan.project({plan.alias(add, sum), plan.attribute(kC)}, scan, {sum, kC});
  const int root = plan.project({plan.attribute(kC)}, computed, {kC});
  EXPECT_EQ(print(plan, root), "Project #" + std::to_string(root) + " -> (c string)\n  Project #" +
                                   std::to_string(computed) + " -> (sum bigint, c string)\n    Scan #" +
                                   std::to_string(scan) + " columns=3 filters=0 -> (a bigint, b bigint, c string)\n");
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
  const int project = plan.project({plan.alias(second, x), plan.alias(third, y)},
                                   plan.scan(kABC, {{"format", {Text{"no.such.Format"}}}}), {x, y});
  plan.builder.setting("spark.sql.legacy.ofTomorrow", "LEGACY");
  plan.builder.setting("spark.sql.shuffle.partitions", "7");
  EXPECT_EQ(reasons(plan, project),
            "FileSourceScan: file format Format\n"
            "Project: expression Sinh (Spark 4.3.0); expression Cosh (Spark 4.3.0); expression Tanh (Spark 4.3.0)\n"
            "spark.sql.legacy.ofTomorrow: the engine does not know what it changes; leave it unset to run natively\n");
}

TEST(Binder, RefusesOddScans) {
  const auto reason_with = [](const char* field, FieldValue value) {
    SparkPlan plan;
    return reasons(plan, plan.scan(kABC, {{field, std::move(value)}}));
  };
  EXPECT_EQ(reason_with("format", {Text{"a.b.OrcFileFormat"}}), "FileSourceScan: file format OrcFileFormat\n");
  EXPECT_EQ(reason_with("metadataColumns", {List{{{Text{"_tmp_metadata_other"}}}}}),
            "FileSourceScan: file metadata columns\n");
  EXPECT_EQ(reason_with("options", {Map{{{Text{"ignorecorruptfiles"}}, {Text{"true"}}}}}),
            "FileSourceScan: read option ignorecorruptfiles=true\n");
  EXPECT_EQ(reason_with("options", {Map{{{Text{"mergeschema"}}, {Text{"true"}}}}}), "");
  EXPECT_EQ(reason_with("options", {Map{{{Text{"datetimerebasemode"}}, {Text{"LEGACY"}}}}}), "");
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

TEST(Binder, TakesMetadataOfFilesAsPartitionColumns) {
  SparkPlan plan;
  const Type text(TypeId::String);
  const int metadata = plan.builder.expression(
      "AttributeReference", text, false,
      {{"name", {Text{"file_name"}}},
       {"exprId", {int64_t{9}}},
       {"metadata", {Text{R"({"__metadata_col":"file_name","__file_source_constant_metadata_col":true})"}}}});
  const std::vector<int> output = {plan.attribute(kA), plan.attribute({"file_name", 8, text}), metadata};
  const int root = plan.scan(
      {kA}, {{"output", SparkPlan::nodes(output)},
             {"partitionSchema", {Type::structure({{"file_name", text, true}, {"file_name", text, false}})}}});
  const BoundPlan bound = bind_bytes(plan.builder.finish(root));
  const auto& scan = bound.root->as<Scan>();
  EXPECT_EQ(scan.spec->columns[1].partition_index, 0);
  EXPECT_EQ(scan.spec->columns[2].partition_index, 1);
}

TEST(Binder, TakesRowIndexesAsColumnsOfTheirOwn) {
  SparkPlan plan;
  const Type type(TypeId::Long);
  const int index = plan.builder.expression("AttributeReference", type, true,
                                            {{"name", {Text{"_tmp_metadata_row_index"}}},
                                             {"exprId", {int64_t{9}}},
                                             {"metadata", {Text{R"({"__metadata_col":"row_index"})"}}}});
  const Type required = Type::structure({{"a", kA.type, true}, {"_tmp_metadata_row_index", type, true}});
  const int root = plan.scan({kA}, {{"requiredSchema", {required}},
                                    {"output", SparkPlan::nodes({plan.attribute(kA), index})},
                                    {"metadataColumns", {List{{{Text{"_tmp_metadata_row_index"}}}}}}});
  const BoundPlan bound = bind_bytes(plan.builder.finish(root));
  const auto& scan = bound.root->as<Scan>();
  EXPECT_FALSE(scan.spec->columns[0].is_row_index);
  EXPECT_TRUE(scan.spec->columns[1].is_row_index);
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

TEST(Binder, BindsWhatIsOfPartitions) {
  SparkPlan plan;
  const int sort =
      plan.sort({plan.sort_order(plan.attribute(kB)), plan.sort_order(plan.integer(1))}, plan.scan(kABC), kABC, false);
  const int root = plan.limit("LocalLimitExec", 5, 0, sort, kABC);
  const BoundPlan bound = bind_bytes(plan.builder.finish(root));
  EXPECT_EQ(bound.root->as<LocalLimit>().limit, 5);
  const auto& local = bound.root->inputs[0]->as<LocalSort>();
  EXPECT_EQ(local.keys, (std::vector<std::optional<int>>{1, std::nullopt}));
  EXPECT_EQ(describe(local.order), "keys=[3 asc nulls first, 4 asc nulls first]");
  EXPECT_EQ(local.computed_keys->num_outputs(), 2);
  EXPECT_EQ(bound.root_plan_node, root);
}

TEST(Binder, BindsSortsOfPartitionsThatCantBeOfAllRows) {
  SparkPlan plan;
  const SparkPlan::Column list{"l", 4, Type::map(Type(TypeId::Int), Type(TypeId::Int), true)};
  const int root =
      plan.limit("LocalLimitExec", 5, 0,
                 plan.sort({plan.sort_order(plan.attribute(list))}, plan.scan({list}), {list}, false), {list});
  const BoundPlan bound = bind_bytes(plan.builder.finish(root));
  const auto& local = bound.root->inputs[0]->as<LocalSort>();
  EXPECT_EQ(local.reason_against_order, "sort by a column of type map<int,int>");
  EXPECT_TRUE(local.order.empty());
}

TEST(Binder, SortsByColumnsAndExpressions) {
  SparkPlan plan;
  const int root = plan.sort({plan.sort_order(plan.attribute(kB), false)}, plan.scan(kABC), kABC);
  EXPECT_EQ(bind_bytes(plan.builder.finish(root)).root->describe(), "keys=[1 desc nulls last]");
  SparkPlan computed;
  const int key = computed.arithmetic("Add", computed.attribute(kA), computed.attribute(kB), kA.type);
  const int sorted = computed.sort({computed.sort_order(key)}, computed.scan(kABC), kABC);
  const BoundPlan bound = bind_bytes(computed.builder.finish(sorted));
  EXPECT_EQ(bound.root->describe(), "keys=[3 asc nulls first]");
  EXPECT_EQ(bound.root->output.size(), 3u);
  EXPECT_EQ(bound.root->programs().size(), 1u);
}

TEST(Binder, BindsWhatIsAboveAndBelowTheUnknown) {
  SparkPlan plan;
  const int local = plan.limit("LocalLimitExec", 5, 0, plan.scan(kABC), kABC);
  const int odd = plan.filter(plan.integer(1), local, kABC);
  const int root = plan.limit("GlobalLimitExec", 7, 0, odd, kABC);
  const Judgement judgement = judge(decode_plan(plan.builder.finish(root)));
  EXPECT_FALSE(judgement.verdict.supported);
  const Node& above = *judgement.plan.root;
  EXPECT_TRUE(above.is<Limit>());
  EXPECT_TRUE(above.inputs.at(0)->is<Unbound>());
  EXPECT_TRUE(above.inputs.at(0)->inputs.at(0)->is<LocalLimit>());
  EXPECT_TRUE(has_unbound(above));
}

TEST(Binder, KeepsTreesBelowOperatorsThatItDoesNotKnow) {
  SparkPlan plan;
  const int scan = plan.scan(kABC);
  const int root = plan.builder.plan("WindowExec", {{"child", {NodeReference{scan}}}});
  const Judgement judgement = judge(decode_plan(plan.builder.finish(root)));
  EXPECT_TRUE(judgement.plan.root->is<Unbound>());
  ASSERT_EQ(judgement.plan.rest.size(), 1u);
  EXPECT_TRUE(judgement.plan.rest[0]->is<Scan>());
}

TEST(Binder, KnowsWhyRowsAreSpread) {
  const auto exchange = [](std::string_view origin, const FieldValue& partitioning = {Opaque{"x"}}) {
    SparkPlan plan;
    const std::string package = "org.apache.spark.sql.execution.exchange.";
    const std::string class_name = package + std::string(origin);
    const int scan = plan.scan(kABC);
    const int root =
        plan.builder.plan("exchange.ShuffleExchangeExec",
                          {{"outputPartitioning", partitioning},
                           {"child", {NodeReference{scan}}},
                           {"shuffleOrigin", SparkPlan::product(class_name)},
                           {"advisoryPartitionSize", SparkPlan::nodes({})},
                           {"output", SparkPlan::nodes({plan.attribute(kA), plan.attribute(kB), plan.attribute(kC)})},
                           {"pipelined", {false}}});
    const Judgement judgement = judge(decode_plan(plan.builder.finish(root)));
    const std::string reason = judgement.verdict.nodes.back().reason;
    if (!reason.empty()) return reason;
    return std::to_string(static_cast<int>(judgement.plan.root->as<Exchange>().asked));
  };
  const auto text = [](Asked asked) { return std::to_string(static_cast<int>(asked)); };
  const FieldValue round_robin =
      SparkPlan::product("org.apache.spark.sql.catalyst.plans.physical.RoundRobinPartitioning");
  const FieldValue single = SparkPlan::product("org.apache.spark.sql.catalyst.plans.physical.SinglePartition");
  EXPECT_EQ(exchange("REPARTITION_BY_NUM", round_robin), text(Asked::Number));
  EXPECT_EQ(exchange("REPARTITION_BY_NUM", single), text(Asked::OneOfAll));
  EXPECT_EQ(exchange("REPARTITION_BY_COL"), text(Asked::Together));
  EXPECT_EQ(exchange("REBALANCE_PARTITIONS_BY_COL"), text(Asked::Together));
  EXPECT_EQ(exchange("ENSURE_REQUIREMENTS"), text(Asked::Nothing));
  EXPECT_EQ(exchange("SOMETHING_NEW"), "field shuffleOrigin of ShuffleExchangeExec is SOMETHING_NEW (Spark 4.3.0)");
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
