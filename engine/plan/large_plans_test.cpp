// Plans that are deep or wide: bound, and rewritten, without recursion but over operators, on a stack as small as a
// thread of the JVM may have.
#include "base/error.h"
#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/scan.h"
#include "plan/test_plans.h"
#include "planner/judge_query.h"

#include <gtest/gtest.h>

#include <functional>
#include <pthread.h>

namespace accelerant::plan {
namespace {

using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

const Column kA{"a", 1, Type(TypeId::Long)};

// Sanitizers make frames larger.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kSmallStack = 4 << 20;
#else
constexpr size_t kSmallStack = 256 << 10;
#endif

/// Runs `body` on a thread with a small stack.
void on_small_stack(std::function<void()> body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kSmallStack);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

void expect_supported(const std::vector<uint8_t>& bytes) {
  on_small_stack([&bytes] {
    const Judgement judgement = planner::judge_query(decode_plan(bytes));
    EXPECT_TRUE(judgement.verdict.supported) << judgement.verdict.to_text().substr(0, 500);
    EXPECT_EQ(judgement.plan.root != nullptr, judgement.verdict.supported);
  });
}

/// Returns a scan filtered by 5,000 comparisons joined by `class_name`, to the left or to the right.
std::vector<uint8_t> long_chain(std::string_view class_name, bool to_the_left) {
  SparkPlan plan;
  const int scan = plan.scan({kA});
  const int a = plan.attribute(kA);
  int chain = -1;
  for (int i = 0; i < 5000; ++i) {
    const int term = plan.compare("LessThan", a, plan.literal(kA.type, {int64_t{i}}));
    if (chain < 0) {
      chain = term;
    } else {
      chain = to_the_left ? plan.compare(class_name, chain, term) : plan.compare(class_name, term, chain);
    }
  }
  return plan.builder.finish(plan.filter(chain, scan, {kA}));
}

TEST(LargePlans, BindsLongChains) {
  expect_supported(long_chain("And", true));
  expect_supported(long_chain("And", false));
  expect_supported(long_chain("Or", true));
  expect_supported(long_chain("Or", false));
}

TEST(LargePlans, BindsDeepExpressions) {
  SparkPlan plan;
  const int scan = plan.scan({kA});
  int sum = plan.attribute(kA);
  for (int i = 0; i < 5000; ++i) sum = plan.arithmetic("Add", sum, plan.attribute(kA), kA.type);
  const Column out{"s", 2, kA.type};
  expect_supported(plan.builder.finish(plan.project({plan.alias(sum, out)}, scan, {out})));
}

TEST(LargePlans, SharesExpressionsThatAreReferredToTwice) {
  SparkPlan plan;
  const int scan = plan.scan({kA});
  int condition = plan.compare("LessThan", plan.attribute(kA), plan.literal(kA.type, {int64_t{1}}));
  for (int i = 0; i < 100; ++i) condition = plan.compare(i % 2 == 0 ? "And" : "Or", condition, condition);
  expect_supported(plan.builder.finish(plan.filter(condition, scan, {kA})));
}

TEST(LargePlans, BindsManyColumns) {
  SparkPlan plan;
  std::vector<Column> columns;
  std::vector<Column> output;
  std::vector<int> expressions;
  for (int i = 0; i < 2000; ++i) columns.push_back({"c" + std::to_string(i), i, kA.type});
  const int scan = plan.scan(columns);
  for (int i = 0; i < 2000; ++i) {
    output.push_back({"o" + std::to_string(i), 5000 + i, kA.type});
    const int add = plan.arithmetic("Add", plan.attribute(columns[static_cast<size_t>(i)]),
                                    plan.literal(kA.type, {int64_t{i}}), kA.type);
    expressions.push_back(plan.alias(add, output.back()));
  }
  expect_supported(plan.builder.finish(plan.project(expressions, scan, output)));
}

TEST(LargePlans, BindsLongLists) {
  SparkPlan plan;
  const int scan = plan.scan({kA});
  List values;
  std::vector<int> literals;
  for (int64_t i = 0; i < 10000; ++i) {
    values.items.push_back({i * 7});
    literals.push_back(plan.literal(kA.type, {i * 7}));
  }
  const Type boolean(TypeId::Boolean);
  const int in_set = plan.builder.expression(
      "InSet", boolean, true, {{"child", {NodeReference{plan.attribute(kA)}}}, {"hset", {std::move(values)}}});
  const int in = plan.builder.expression(
      "In", boolean, true, {{"value", {NodeReference{plan.attribute(kA)}}}, {"list", SparkPlan::nodes(literals)}});
  expect_supported(plan.builder.finish(plan.filter(plan.compare("And", in_set, in), scan, {kA})));
}

TEST(LargePlans, RewritesAsManyOperatorsAsMayBe) {
  SparkPlan plan;
  int root = plan.scan({kA});
  for (int i = 0; i < 499; ++i) {
    const int condition = plan.compare("LessThan", plan.attribute(kA), plan.literal(kA.type, {int64_t{i}}));
    root = i % 2 == 0 ? plan.filter(condition, root, {kA}) : plan.project({plan.attribute(kA)}, root, {kA});
  }
  expect_supported(plan.builder.finish(root));
}

TEST(LargePlans, RefusesTooManyOperators) {
  SparkPlan plan;
  int root = plan.scan({kA});
  for (int i = 0; i < 100'000; ++i) {
    root = plan.builder.plan("ProjectExec", {{"projectList", SparkPlan::nodes({})}, {"child", {NodeReference{root}}}});
  }
  const PlanMessage message = decode_plan(plan.builder.finish(root));
  on_small_stack([&message] { EXPECT_FALSE(judge(message).verdict.supported); });
}

}  // namespace
}  // namespace accelerant::plan
