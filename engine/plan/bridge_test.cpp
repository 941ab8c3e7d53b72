#include "plan/bridge.h"

#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"

#include <gtest/gtest.h>

namespace accelerant::plan {
namespace {

using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

const Type kLong(TypeId::Long);
const Type kString(TypeId::String);
const Column kA{"a", 1, kLong};
const Column kB{"b", 2, kLong};
const Column kOut{"out", 3, kLong};

/// What a plan's verdict says.
struct Outcome {
  bool supported;
  std::string reason;
  std::vector<BridgedCall> calls;
};

/// A projection of one expression over a scan of a and b.
struct World {
  SparkPlan plan;
  int a = plan.attribute(kA);
  int b = plan.attribute(kB);

  /// Adds an expression that the engine lacks and Spark's code can compute.
  int missing(const std::vector<int>& children, const Type& type = kLong) {
    std::vector<FieldValue> items;
    for (const int child : children) items.push_back({NodeReference{child}});
    return plan.builder.expression("MissingInTheEngine", type, true, {{"children", {List{std::move(items)}}}}, true);
  }
  /// Adds a sum that fails where it overflows.
  int sum(int left, int right, bool is_bridgeable) {
    const FieldValue context =
        SparkPlan::product("org.apache.spark.sql.catalyst.expressions.NumericEvalContext",
                           {{"evalMode", SparkPlan::eval_mode("ANSI")}, {"allowDecimalPrecisionLoss", {true}}});
    return plan.builder.expression(
        "Add", kLong, true,
        {{"left", {NodeReference{left}}}, {"right", {NodeReference{right}}}, {"evalContext", context}}, is_bridgeable);
  }

  Outcome judged(int expression, bool has_bridge = true) {
    const int root = plan.project({plan.alias(expression, kOut)}, plan.scan({kA, kB}), {kOut});
    PlanMessage message = decode_plan(plan.builder.finish(root));
    const auto bridge = std::make_shared<Bridge>();
    if (has_bridge) message.bridge = bridge;
    const Verdict verdict = judge(message).verdict;
    std::string reason;
    for (const NodeVerdict& node : verdict.nodes) reason += node.reason;
    return {verdict.supported, reason, bridge->used()};
  }
};

TEST(Bridge, TakesWhatTheEngineComputesAsArguments) {
  World world;
  const int call = world.missing({world.b, world.a});
  EXPECT_EQ(world.judged(call).calls, (std::vector<BridgedCall>{{call, {world.b, world.a}}}));
}

TEST(Bridge, MakesOneCallOfNeighbours) {
  World world;
  const int inner = world.missing({world.a});
  const int call = world.missing({inner, world.b});
  EXPECT_EQ(world.judged(call).calls, (std::vector<BridgedCall>{{call, {world.b, world.a}}}));
}

TEST(Bridge, LeavesWhatIsNativeBetweenCallsNative) {
  World world;
  const int inner = world.missing({world.a});
  const int native = world.plan.unary("BitwiseNot", world.plan.attribute(kB), kLong);
  const int call = world.missing({native});
  const Outcome judged = world.judged(world.plan.compare("LessThan", inner, call));
  EXPECT_EQ(judged.calls, (std::vector<BridgedCall>{{inner, {world.a}}, {call, {native}}}));
}

TEST(Bridge, ComputesArgumentsThatMayFail) {
  World world;
  const int sum = world.sum(world.a, world.b, true);
  const int call = world.missing({sum});
  EXPECT_EQ(world.judged(call).calls, (std::vector<BridgedCall>{{call, {world.a, world.b}}}));
}

TEST(Bridge, TakesArgumentsThatMayFailWhereSparkCannotComputeThem) {
  World world;
  const int sum = world.sum(world.a, world.b, false);
  const int call = world.missing({sum});
  EXPECT_EQ(world.judged(call).calls, (std::vector<BridgedCall>{{call, {sum}}}));
}

TEST(Bridge, TakesLiteralsAlong) {
  World world;
  const int literal = world.plan.builder.expression("Literal", kLong, false, {{"value", {int64_t{5}}}}, true);
  const int call = world.missing({world.a, literal});
  EXPECT_EQ(world.judged(call).calls, (std::vector<BridgedCall>{{call, {world.a}}}));
}

TEST(Bridge, ComputesRowsThatAFunctionLeavesFromAllItsArguments) {
  SparkPlan plan;
  plan.builder.zone("UTC", 0);
  const Type time(TypeId::Timestamp);
  const Column text{"text", 1, kString};
  const Column out{"out", 2, time};
  const int column = plan.attribute(text);
  const int pattern = plan.builder.expression("Literal", kString, false, {{"value", {Bytes{"yyyy"}}}}, true);
  const int call = plan.builder.expression("GetTimestamp", time, true,
                                           {{"left", {NodeReference{column}}},
                                            {"right", {NodeReference{pattern}}},
                                            {"dataType", {time}},
                                            {"suggestedFuncOnFail", {Text{"try_to_timestamp"}}},
                                            {"timeZoneId", {List{{{Text{"UTC"}}}}}},
                                            {"failOnError", {true}}},
                                           true);
  const int root = plan.project({plan.alias(call, out)}, plan.scan({text}), {out});
  PlanMessage message = decode_plan(plan.builder.finish(root));
  message.bridge = std::make_shared<Bridge>();
  EXPECT_TRUE(judge(message).verdict.supported);
  EXPECT_EQ(message.bridge->used(), (std::vector<BridgedCall>{{call, {column, pattern}, true}}));
}

TEST(Bridge, WantsAResultThatIsCarried) {
  World world;
  EXPECT_TRUE(world.judged(world.missing({world.a}, Type::array(kString, true))).supported);
  const Type intervals = Type::array(Type(TypeId::CalendarInterval), true);
  const int inner = world.missing({world.a}, intervals);
  EXPECT_TRUE(world.judged(world.missing({inner})).supported);
  const Outcome judged = world.judged(inner);
  EXPECT_FALSE(judged.supported);
  EXPECT_NE(judged.reason.find("MissingInTheEngine"), std::string::npos);
}

TEST(Bridge, IsNotThereWithoutAJvm) {
  World world;
  const Outcome judged = world.judged(world.missing({world.a}), false);
  EXPECT_FALSE(judged.supported);
  EXPECT_NE(judged.reason.find("only Spark's own code can compute it"), std::string::npos);
}

}  // namespace
}  // namespace accelerant::plan
