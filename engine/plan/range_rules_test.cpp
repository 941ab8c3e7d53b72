#include "base/error.h"
#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/range.h"
#include "plan/test_plans.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace accelerant::plan {
namespace {

using Type = SparkPlan::Type;
using types::TypeId;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

/// Binds the one node of a plan and describes it, or says why not.
std::string bound(const SparkPlan& plan, int root) {
  try {
    return bind(decode_plan(plan.builder.finish(root))).root->describe();
  } catch (const Error& error) {
    return error.message();
  }
}

std::string range(int64_t start, int64_t end, int64_t step) {
  SparkPlan plan;
  const int id = plan.attribute({"id", 1, Type(TypeId::Long), false});
  return bound(plan,
               plan.builder.plan("org.apache.spark.sql.execution.RangeExec", {{"start", {start}},
                                                                              {"end", {end}},
                                                                              {"step", {step}},
                                                                              {"numSlices", {int64_t{2}}},
                                                                              {"output", SparkPlan::nodes({id})}}));
}

TEST(RangeRules, CountTheNumbersBeforeTheEnd) {
  EXPECT_EQ(range(0, 10, 1), "start=0 step=1 rows=10");
  EXPECT_EQ(range(0, 10, 3), "start=0 step=3 rows=4");
  EXPECT_EQ(range(10, 0, -3), "start=10 step=-3 rows=4");
  EXPECT_EQ(range(10, 1, -3), "start=10 step=-3 rows=3");
  EXPECT_EQ(range(5, 5, 1), "start=5 step=1 rows=0");
  EXPECT_EQ(range(5, 0, 1), "start=5 step=1 rows=0");
  EXPECT_EQ(range(0, 5, -1), "start=0 step=-1 rows=0");
  EXPECT_EQ(range(0, kMax, 1), "start=0 step=1 rows=" + std::to_string(kMax));
  EXPECT_EQ(range(-2, kMin, -2), "start=-2 step=-2 rows=" + std::to_string(kMax / 2));
}

TEST(RangeRules, RefuseWhatSparkOverflowsOn) {
  EXPECT_NE(range(kMin, kMax, 1).find("more than 64 bits"), std::string::npos);
  EXPECT_NE(range(kMax, kMin, kMin).find("more than 64 bits"), std::string::npos);
  EXPECT_NE(range(0, 1, 0).find("field step"), std::string::npos);
}

TEST(RangeRules, TakeOneRowOfNoColumnsForARange) {
  SparkPlan plan;
  EXPECT_EQ(bound(plan, plan.builder.plan("org.apache.spark.sql.execution.OneRowRelationExec",
                                          {{"output", SparkPlan::nodes({})}})),
            "start=0 step=1 rows=1");
  const auto rdd_scan = [](std::string_view name) {
    SparkPlan before_42;
    return bound(before_42, before_42.builder.plan("org.apache.spark.sql.execution.RDDScanExec",
                                                   {{"rdd", {Opaque{"org.apache.spark.rdd.ParallelCollectionRDD"}}},
                                                    {"name", {Text{name}}},
                                                    {"outputPartitioning", {}},
                                                    {"outputOrdering", SparkPlan::nodes({})},
                                                    {"stream", SparkPlan::nodes({})},
                                                    {"output", SparkPlan::nodes({})}}));
  };
  EXPECT_EQ(rdd_scan("OneRowRelation"), "start=0 step=1 rows=1");
  EXPECT_EQ(rdd_scan("ExistingRDD"), "RDDScan: rows of an RDD");
}

}  // namespace
}  // namespace accelerant::plan
