#include "base/error.h"
#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/project.h"
#include "plan/test_plans.h"
#include "plan/union.h"

#include <gtest/gtest.h>

#include <string>

namespace accelerant::plan {
namespace {

using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

const Type kInt(TypeId::Int);
const Type kFull = Type::array(kInt, false);
const Type kWithNulls = Type::array(kInt, true);

/// A union of two scans of one column each, under a type that Spark says it has.
BoundPlan union_of(const Type& left, const Type& right, const Type& result) {
  SparkPlan plan;
  const int first = plan.scan({{"x", 1, left}});
  const int second = plan.scan({{"y", 2, right}});
  const int root = plan.builder.plan("UnionExec", {{"children", SparkPlan::nodes({first, second})},
                                                   {"output", SparkPlan::nodes({plan.attribute({"x", 3, result})})}});
  return bind(decode_plan(plan.builder.finish(root)));
}

TEST(UnionRules, GiveInputsTheTypeOfTheUnion) {
  const BoundPlan bound = union_of(kFull, kWithNulls, kWithNulls);
  const Node& root = *bound.root;
  EXPECT_EQ(root.output[0].type, kWithNulls);
  ASSERT_TRUE(root.inputs[0]->is<Project>());
  EXPECT_EQ(root.inputs[0]->output[0].type, kWithNulls);
  EXPECT_EQ(root.inputs[0]->as<Project>().program->output_type(0), kWithNulls);
  EXPECT_FALSE(root.inputs[1]->is<Project>());
}

TEST(UnionRules, HoldNullsWhereAnInputDoes) {
  const BoundPlan bound = union_of(kFull, kWithNulls, kFull);
  EXPECT_EQ(bound.root->output[0].type, kWithNulls);
  EXPECT_EQ(bound.root->inputs[0]->output[0].type, kWithNulls);
}

TEST(UnionRules, LeaveInputsOfOneTypeAsTheyAre) {
  const BoundPlan bound = union_of(kFull, kFull, kFull);
  EXPECT_FALSE(bound.root->inputs[0]->is<Project>());
  EXPECT_FALSE(bound.root->inputs[1]->is<Project>());
}

TEST(UnionRules, RefuseOtherValues) {
  try {
    union_of(kFull, Type::array(Type(TypeId::Long), false), kFull);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.message()).find("column x of the types array<bigint> and array<int>"),
              std::string::npos)
        << error.message();
  }
}

TEST(Attributes, MayBeSaidToHoldOtherNulls) {
  SparkPlan plan;
  const int scan = plan.scan({{"x", 1, kWithNulls}});
  const Column said{"x", 1, kFull};
  const int root = plan.project({plan.alias(plan.attribute(said), {"y", 2, kFull})}, scan, {{"y", 2, kFull}});
  const BoundPlan bound = bind(decode_plan(plan.builder.finish(root)));
  EXPECT_EQ(bound.root->as<Project>().program->output_type(0), kWithNulls);
}

}  // namespace
}  // namespace accelerant::plan
