#include "base/error.h"
#include "plan/binder.h"
#include "plan/memory_scan.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"

#include <gtest/gtest.h>

#include <string>

namespace accelerant::plan {
namespace {

using Type = SparkPlan::Type;
using types::TypeId;

/// Binds a scan of one column and returns the type of its rows, or says why not.
std::string bound(std::string_view class_name, PlanMessageBuilder::Fields fields,
                  const Type& type = Type(TypeId::Int)) {
  SparkPlan plan;
  const int column = plan.attribute({"a", 1, type});
  fields.push_back({"output", SparkPlan::nodes({column})});
  const int root = plan.builder.plan("org.apache.spark.sql.execution." + std::string(class_name), fields);
  try {
    const BoundPlan bound = bind(decode_plan(plan.builder.finish(root)));
    EXPECT_EQ(bound.partitioning, Partitioning::Independent);
    return bound.root->as<MemoryScan>().row_type.to_string();
  } catch (const Error& error) {
    return error.message();
  }
}

TEST(MemoryScanRules, BindLocalTables) {
  EXPECT_EQ(bound("LocalTableScanExec", {{"stream", SparkPlan::nodes({})}}), "struct<a:int>");
  EXPECT_EQ(bound("LocalTableScanExec", {{"stream", SparkPlan::nodes({})}}, Type::array(Type(TypeId::Int), true)),
            "struct<a:array<int>>");
  EXPECT_EQ(bound("LocalTableScanExec", {{"stream", SparkPlan::nodes({})}},
                  Type::array(Type(TypeId::CalendarInterval), true)),
            "LocalTableScan: column a of type array<interval>");
  EXPECT_NE(bound("LocalTableScanExec", {{"stream", {true}}}).find("field stream"), std::string::npos);
}

TEST(MemoryScanRules, BindRelationsCachedBySparksOwnSerializer) {
  const std::string package = "org.apache.spark.sql.execution.columnar.";
  const std::string known = package + "DefaultCachedBatchSerializer";
  const std::string other = package + "ArrowCachedBatchSerializer";
  EXPECT_EQ(bound("columnar.InMemoryTableScanExec", {{"serializer", {Text{known}}}}), "struct<a:int>");
  EXPECT_EQ(bound("columnar.InMemoryTableScanExec", {{"serializer", {Text{other}}}}),
            "InMemoryTableScan: a relation cached by " + other);
}

}  // namespace
}  // namespace accelerant::plan
