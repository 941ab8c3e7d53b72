#include "plan/node_settings.h"

#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"

#include <gtest/gtest.h>

namespace accelerant::plan {
namespace {

using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

const Column kText{"s", 1, Type(TypeId::String)};
const Column kDate{"t", 2, Type(TypeId::Date)};
const Column kBytes{"z", 3, Type(TypeId::Binary)};
const Column kDates{"l", 4, Type::array(Type(TypeId::Date), true)};
const Column kResult{"r", 9, Type(TypeId::String)};

/// Returns why a plan is refused under a setting, "" if it is not.
std::string reason(SparkPlan& plan, int root, std::string_view setting, std::string_view value) {
  plan.builder.setting(std::string(setting), std::string(value));
  const Verdict verdict = judge(decode_plan(plan.builder.finish(root))).verdict;
  std::string text;
  for (const NodeVerdict& node : verdict.nodes) {
    if (!node.reason.empty()) text += node.operator_name + ": " + node.reason;
  }
  for (const SettingVerdict& other : verdict.settings) text += other.name + ": " + other.reason;
  EXPECT_EQ(verdict.supported, text.empty());
  return text;
}

/// Returns the same of a scan of all columns.
std::string scan_reason(std::string_view setting, std::string_view value) {
  SparkPlan plan;
  return reason(plan, plan.scan({kText, kDate, kBytes}), setting, value);
}

/// Returns the same of an expression over a column, with rows that the query brings.
std::string call_reason(std::string_view name, const Column& column, const PlanMessageBuilder::Fields& more,
                        std::string_view setting, std::string_view value) {
  SparkPlan plan;
  PlanMessageBuilder::Fields fields{{"child", {NodeReference{plan.attribute(column)}}}};
  fields.insert(fields.end(), more.begin(), more.end());
  const int call = plan.builder.expression(name, Type(TypeId::String), true, fields);
  return reason(plan, plan.project({plan.alias(call, kResult)}, plan.scan({column}), {kResult}), setting, value);
}

std::string cast_reason(const Column& column, std::string_view value,
                        std::string_view setting = "spark.sql.legacy.timeParserPolicy") {
  const PlanMessageBuilder::Fields fields{{"dataType", {Type(TypeId::String)}},
                                          {"timeZoneId", {List{{{Text{"UTC"}}}}}},
                                          {"evalMode", SparkPlan::eval_mode("ANSI")}};
  return call_reason("Cast", column, fields, setting, value);
}

TEST(NodeSettings, OfFilesCountWhereFilesAreRead) {
  EXPECT_EQ(scan_reason("spark.sql.files.ignoreCorruptFiles", "true"),
            "FileSourceScan: setting spark.sql.files.ignoreCorruptFiles: set it to false to run natively");
  EXPECT_EQ(scan_reason("spark.sql.files.ignoreCorruptFiles", " FALSE "), "");
  EXPECT_EQ(scan_reason("spark.sql.parquet.binaryAsString", "true"),
            "FileSourceScan: setting spark.sql.parquet.binaryAsString: set it to false to run natively");
  EXPECT_EQ(scan_reason("spark.sql.parquet.int96RebaseModeInRead", "LEGACY"), "");
}

TEST(NodeSettings, OfAFormatCountForItsFilesAlone) {
  SparkPlan plan;
  const int scan = plan.scan({kText}, {{"format", {Text{"a.b.OrcFileFormat"}}}});
  EXPECT_EQ(reason(plan, scan, "spark.sql.parquet.binaryAsString", "true"),
            "FileSourceScan: file format OrcFileFormat");
}

TEST(NodeSettings, FieldIdsCountWhereColumnsHaveSome) {
  const std::string setting = "spark.sql.parquet.fieldId.read.enabled";
  EXPECT_EQ(scan_reason(setting, "true"), "");
  SparkPlan plan;
  const int column = plan.builder.expression(
      "AttributeReference", kText.type, true,
      {{"name", {Text{"s"}}}, {"exprId", {int64_t{1}}}, {"metadata", {Text{R"({"parquet.field.id":7})"}}}});
  const int scan = plan.scan({kText}, {{"output", SparkPlan::nodes({column})}});
  EXPECT_NE(reason(plan, scan, setting, "true").find("setting " + setting + ": set it to false"), std::string::npos);
}

TEST(NodeSettings, FormatsOfDatesCountWhereDatesArePrinted) {
  EXPECT_EQ(cast_reason(kDate, "LEGACY"),
            "Project: setting spark.sql.legacy.timeParserPolicy: set it to CORRECTED to run natively");
  EXPECT_EQ(cast_reason(kDate, "corrected"), "");
  EXPECT_EQ(cast_reason(kBytes, "LEGACY"), "");
}

TEST(NodeSettings, SettingsOfTextsCountWithinNestedValues) {
  EXPECT_EQ(cast_reason(kDates, "LEGACY"),
            "Project: setting spark.sql.legacy.timeParserPolicy: set it to CORRECTED to run natively");
  EXPECT_EQ(cast_reason(kDates, "CORRECTED"), "");
  const std::string setting = "spark.sql.legacy.castComplexTypesToString.enabled";
  EXPECT_EQ(cast_reason(kDates, "true", setting), "Project: setting " + setting + ": set it to false to run natively");
  EXPECT_EQ(cast_reason(kDate, "true", setting), "");
}

TEST(NodeSettings, MappingsOfCaseCountWhereCaseIsChanged) {
  const std::string setting = "spark.sql.icu.caseMappings.enabled";
  EXPECT_EQ(call_reason("Upper", kText, {}, setting, "false"),
            "Project: setting " + setting + ": set it to true to run natively");
  EXPECT_EQ(call_reason("StringReverse", kText, {}, setting, "false").find("setting"), std::string::npos);
}

TEST(NodeSettings, BinaryStylesCountWhereBinaryIsShown) {
  const PlanMessageBuilder::Fields zone{{"timeZoneId", {List{{{Text{"UTC"}}}}}}};
  const std::string setting = "spark.sql.binaryOutputStyle";
  EXPECT_EQ(call_reason("ToPrettyString", kBytes, zone, setting, "BASE64"),
            "Project: setting " + setting + ": set it to HEX_DISCRETE to run natively");
  EXPECT_EQ(call_reason("ToPrettyString", kBytes, zone, setting, "HEX_DISCRETE"), "");
  EXPECT_EQ(call_reason("ToPrettyString", kText, zone, setting, "BASE64"), "");
}

TEST(NodeSettings, OthersCountForEveryQueryOrForNone) {
  EXPECT_EQ(scan_reason("spark.sql.testkey", "true"), "");
  EXPECT_EQ(scan_reason("spark.sql.legacy.interval.enabled", "true"), "");
  EXPECT_EQ(scan_reason("spark.sql.legacy.statisticalAggregate", "true"), "");
  EXPECT_EQ(scan_reason("spark.sql.ofTomorrow", "true"),
            "spark.sql.ofTomorrow: the engine does not know what it changes; leave it unset to run natively");
}

}  // namespace
}  // namespace accelerant::plan
