#include "base/error.h"
#include "plan/binder.h"
#include "plan/bridge.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"
#include "plan/unnest.h"

#include <gtest/gtest.h>

#include <string>

namespace accelerant::plan {
namespace {

using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

const Type kLong(TypeId::Long);
const Type kPairs = Type::array(Type::structure({{"col0", kLong}, {"col1", kLong}}), true);
const Column kA{"a", 1, kLong};
const Column kB{"b", 2, kLong};
const Column kFirst{"first", 3, kLong};
const Column kSecond{"second", 4, kLong};

/// A plan that keeps a and generates two columns.
struct Generated {
  SparkPlan plan;
  int a = plan.attribute(kA);
  int b = plan.attribute(kB);
  std::shared_ptr<Bridge> bridge = std::make_shared<Bridge>();

  int generator(std::string_view name, const std::vector<int>& children, bool is_bridgeable = true) {
    return plan.builder.expression(name, kPairs, false, {{"children", SparkPlan::nodes(children)}}, is_bridgeable);
  }

  /// Returns the program of the node, or why there is none.
  std::string bound(int generator) {
    const int scan = plan.scan({kA, kB});
    const std::vector<int> made{plan.attribute(kFirst), plan.attribute(kSecond)};
    const int root = plan.builder.plan("GenerateExec", {{"generator", {NodeReference{generator}}},
                                                        {"requiredChildOutput", SparkPlan::nodes({a})},
                                                        {"outer", {false}},
                                                        {"generatorOutput", SparkPlan::nodes(made)},
                                                        {"child", {NodeReference{scan}}},
                                                        {"output", SparkPlan::nodes({a, made[0], made[1]})}});
    PlanMessage message = decode_plan(plan.builder.finish(root));
    message.bridge = bridge;
    try {
      const BoundPlan bound = bind(message);
      const std::string text = bound.root->name() + std::string(" ") + bound.root->describe();
      if (!bound.root->is<Unnest>()) return text;
      return text + " " + bound.root->as<Unnest>().program->output_type(0).to_string();
    } catch (const Error& error) {
      return error.message();
    }
  }
};

const std::string kMembers = "Unnest members " + kPairs.to_string();

TEST(UnnestRules, StackValuesInRows) {
  Generated full;
  EXPECT_EQ(full.bound(full.generator("Stack", {full.plan.integer(2), full.a, full.b, full.b, full.a})),
            "Expand projections=2 in row order");
  Generated short_of_one;
  EXPECT_EQ(short_of_one.bound(short_of_one.generator(
                "Stack", {short_of_one.plan.integer(2), short_of_one.a, short_of_one.b, short_of_one.b})),
            "Expand projections=2 in row order");
  EXPECT_TRUE(full.bridge->used().empty());
}

TEST(UnnestRules, ComputeAllValuesOfAStackFirstWhereOneMayFail) {
  Generated failing;
  const int sum = failing.plan.arithmetic("Add", failing.a, failing.b, kLong);
  EXPECT_EQ(failing.bound(failing.generator("Stack", {failing.plan.integer(2), failing.a, failing.b, sum, failing.a})),
            kMembers);
}

TEST(UnnestRules, StackManyRowsAsAnArray) {
  Generated high;
  EXPECT_EQ(high.bound(high.generator("Stack", {high.plan.integer(65), high.a, high.b})), kMembers);
}

TEST(UnnestRules, RefuseStacksOfManyMoreRows) {
  Generated high;
  EXPECT_NE(high.bound(high.generator("Stack", {high.plan.integer(1001), high.a, high.b}))
                .find("generator Stack of as many rows"),
            std::string::npos);
}

TEST(UnnestRules, TakeOtherGeneratorsFromSparksCode) {
  Generated bridged;
  const int generator = bridged.generator("JsonTuple", {bridged.b, bridged.a});
  EXPECT_EQ(bridged.bound(generator), kMembers);
  EXPECT_EQ(bridged.bridge->used(), (std::vector<BridgedCall>{{generator, {bridged.b, bridged.a}}}));
}

TEST(UnnestRules, RefuseGeneratorsThatSparksCodeComputesOnlyInOrder) {
  Generated kept;
  EXPECT_NE(kept.bound(kept.generator("EachTopK", {kept.a}, false)).find("generator EachTopK"), std::string::npos);
}

}  // namespace
}  // namespace accelerant::plan
