#include "base/error.h"
#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"
#include "plan/window.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace accelerant::plan {
namespace {

using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

const Type kInt(TypeId::Int);
const Type kLong(TypeId::Long);
const Column kA{"a", 1, kLong};
const Column kB{"b", 2, kLong};
const Column kDay{"day", 3, Type(TypeId::Date)};
const std::vector<Column> kColumns = {kA, kB, kDay};

constexpr std::string_view kPackage = "org.apache.spark.sql.catalyst.expressions.";

FieldValue node(int index) { return {NodeReference{index}}; }

/// A plan of one window, by a, in the order of b, of one function.
class OneWindow {
 public:
  SparkPlan plan;
  bool by_day = false;  ///< the order is that of the day

  int bound(std::string_view name) { return plan.builder.expression(name, kInt, true, {}); }

  int frame(std::string_view type, int lower, int upper) {
    return plan.builder.expression(
        "SpecifiedWindowFrame", kInt, true,
        {{"frameType", SparkPlan::product(type)}, {"lower", node(lower)}, {"upper", node(upper)}});
  }
  int rows(int lower, int upper) { return frame("org.apache.spark.sql.catalyst.expressions.RowFrame", lower, upper); }
  int values(int lower, int upper) {
    return frame("org.apache.spark.sql.catalyst.expressions.RangeFrame", lower, upper);
  }
  int until_row() { return rows(bound("UnboundedPreceding$"), bound("CurrentRow$")); }

  int function(std::string_view name, const Type& type, const PlanMessageBuilder::Fields& fields) {
    return plan.builder.expression(name, type, true, fields);
  }
  int sum(bool distinct = false, int filter = -1) {
    return plan.call(plan.function("Sum", plan.attribute(kA), kLong), "Complete", 90, filter, distinct);
  }

  /// Describes the node, its frame and its arguments, or says why there is none.
  std::string bound(int function, const Type& type, int frame) {
    const int specification = plan.builder.expression("WindowSpecDefinition", kInt, true,
                                                      {{"partitionSpec", SparkPlan::nodes({})},
                                                       {"orderSpec", SparkPlan::nodes({})},
                                                       {"frameSpecification", node(frame)}});
    return bound_column(
        plan.builder.expression("WindowExpression", type, true,
                                {{"windowFunction", node(function)}, {"windowSpec", node(specification)}}),
        type);
  }

  /// Likewise, of any expression.
  std::string bound_column(int expression, const Type& type) {
    const int partition = plan.attribute(kA);
    const int order = plan.sort_order(plan.attribute(by_day ? kDay : kB));
    const Column result{"w", 50, type};
    const int scan = plan.scan(kColumns);
    const int alias = plan.alias(expression, result);
    std::vector<int> output;
    for (const Column& column : {kA, kB, kDay, result}) output.push_back(plan.attribute(column));
    return describe(plan.builder.plan("window.WindowExec", {{"windowExpression", SparkPlan::nodes({alias})},
                                                            {"partitionSpec", SparkPlan::nodes({partition})},
                                                            {"orderSpec", SparkPlan::nodes({order})},
                                                            {"child", node(scan)},
                                                            {"output", SparkPlan::nodes(output)}}));
  }

 private:
  std::string describe(int root) const {
    try {
      const BoundPlan bound = bind(decode_plan(plan.builder.finish(root)));
      const auto& window = bound.root->as<Window>();
      std::string text = window.describe() + " " + text_of(window.calls.front());
      if (window.computed) text += " computed=" + std::to_string(window.computed->num_outputs());
      return text;
    } catch (const Error& error) {
      return error.message();
    }
  }

  static std::string text_of(const FrameBound& bound) {
    switch (bound.kind) {
      case FrameBound::Kind::Unbounded:
        return "all";
      case FrameBound::Kind::Rows:
        return std::to_string(bound.rows);
      case FrameBound::Kind::Peers:
        return "peers";
      case FrameBound::Kind::Value:
        return "#" + std::to_string(bound.column);
    }
    return "";
  }

  static std::string text_of(const WindowCall& call) {
    std::string text = text_of(call.frame.lower) + ".." + text_of(call.frame.upper) + " (";
    for (const int argument : call.arguments) text += "#" + std::to_string(argument);
    return text + ") " + std::to_string(call.number) + (call.ignores_nulls ? " not null" : "");
  }
};

const std::string kKeys = "keys=[0 asc nulls first, 1 asc nulls first] partition=1 calls=";

TEST(WindowRules, BindRanks) {
  OneWindow window;
  EXPECT_EQ(window.bound(window.function("RowNumber", kInt, {}), kInt, window.until_row()),
            kKeys + "[row_number] all..0 () 0");
  OneWindow ranked;
  const int by_b = ranked.plan.attribute(kB);
  EXPECT_EQ(
      ranked.bound(ranked.function("Rank", kInt, {{"children", SparkPlan::nodes({by_b})}}), kInt, ranked.until_row()),
      kKeys + "[rank] all..0 () 0");
  OneWindow parts;
  EXPECT_EQ(
      parts.bound(parts.function("NTile", kInt, {{"buckets", node(parts.plan.integer(4))}}), kInt, parts.until_row()),
      kKeys + "[ntile] all..0 () 4");
}

/// Binds lag or lead of a by a number of rows.
std::string shifted(bool is_lag, int64_t rows, bool ignores_nulls, bool has_default = false) {
  OneWindow window;
  const int offset = window.plan.integer(rows);
  const int otherwise =
      has_default ? window.plan.literal(kLong, {int64_t{7}}) : window.plan.literal(Type(TypeId::Null), {});
  const int function = window.function(is_lag ? "Lag" : "Lead", kLong,
                                       {{"input", node(window.plan.attribute(kA))},
                                        {is_lag ? "inputOffset" : "offset", node(offset)},
                                        {"default", node(otherwise)},
                                        {"ignoreNulls", {ignores_nulls}}});
  const int distance = window.plan.integer(is_lag ? -rows : rows);
  return window.bound(function, kLong, window.rows(distance, distance));
}

TEST(WindowRules, BindShifts) {
  EXPECT_EQ(shifted(true, 2, false), kKeys + "[lag] -2..-2 (#0) -2");
  EXPECT_EQ(shifted(false, 3, false, true), kKeys + "[lead] 3..3 (#0#3) 3 computed=1");
  EXPECT_EQ(shifted(true, 2, true), kKeys + "[lag] -2..-2 (#0) -2 not null");
  EXPECT_NE(shifted(false, 2, true).find("lead over several rows that ignores nulls"), std::string::npos);
}

TEST(WindowRules, BindAggregatesAndTheirFrames) {
  OneWindow window;
  EXPECT_EQ(window.bound(window.sum(), kLong, window.rows(window.plan.integer(-2), window.plan.integer(3))),
            kKeys + "[sum] -2..3 (#0) 0");
  OneWindow peers;
  EXPECT_EQ(
      peers.bound(peers.sum(), kLong, peers.values(peers.bound("UnboundedPreceding$"), peers.bound("CurrentRow$"))),
      kKeys + "[sum] all..peers (#0) 0");
}

TEST(WindowRules, ComputeTheBoundsOfFramesOfValues) {
  OneWindow window;
  const int less = window.plan.literal(kLong, {int64_t{-5}});
  EXPECT_EQ(window.bound(window.sum(), kLong, window.values(less, window.bound("CurrentRow$"))),
            kKeys + "[sum] #3..peers (#0) 0 computed=1");
  OneWindow days;
  days.by_day = true;
  EXPECT_EQ(days.bound(days.sum(), kLong, days.values(days.plan.integer(-5), days.plan.integer(5))),
            "keys=[0 asc nulls first, 2 asc nulls first] partition=1 calls=[sum] #3..#4 (#0) 0 computed=2");
}

TEST(WindowRules, BindFirstAndLastAsValuesOfFrames) {
  OneWindow window;
  const int first = window.plan.function("First", window.plan.attribute(kA), kLong);
  EXPECT_EQ(window.bound(window.plan.call(first, "Complete", 91), kLong, window.until_row()),
            kKeys + "[nth_value] all..0 (#0) 1 not null");
}

TEST(WindowRules, MakeArgumentsNullWhereAFilterIsNotTrue) {
  OneWindow window;
  const int filter = window.plan.compare("EqualTo", window.plan.attribute(kA), window.plan.attribute(kB));
  EXPECT_EQ(window.bound(window.sum(false, filter), kLong, window.until_row()),
            kKeys + "[sum] all..0 (#3) 0 computed=1");
}

TEST(WindowRules, NameWhatTheyRefuse) {
  OneWindow distinct;
  EXPECT_NE(distinct.bound(distinct.sum(true), kLong, distinct.until_row()).find("DISTINCT in a window"),
            std::string::npos);
  OneWindow many;
  const int far = many.plan.integer(-2'000'000'000);
  EXPECT_NE(many.bound(many.sum(), kLong, many.rows(far, many.bound("CurrentRow$"))).find("more rows than 2^30"),
            std::string::npos);
  OneWindow filtered;
  const int filter = filtered.plan.compare("EqualTo", filtered.plan.attribute(kA), filtered.plan.attribute(kB));
  const int first = filtered.plan.function("First", filtered.plan.attribute(kA), kLong);
  const int of_first = filtered.plan.call(first, "Complete", 91, filter);
  EXPECT_NE(filtered.bound(of_first, kLong, filtered.until_row()).find("FILTER of First in a window"),
            std::string::npos);
  OneWindow failing;
  const int added = failing.plan.arithmetic("Add", failing.plan.attribute(kA), failing.plan.attribute(kB), kLong);
  const int sum = failing.plan.call(failing.plan.function("Sum", added, kLong), "Complete", 90);
  EXPECT_NE(failing.bound(sum, kLong, failing.until_row()).find("keys or arguments of a window that may fail"),
            std::string::npos);
  OneWindow days;
  const int of_days = days.plan.call(days.plan.function("Sum", days.plan.attribute(kDay), kLong), "Complete", 90);
  EXPECT_NE(days.bound(of_days, kLong, days.until_row()).find("aggregate sum of a window"), std::string::npos);
  OneWindow nulls;
  const int null = nulls.plan.literal(Type(TypeId::Null), {});
  const int nth =
      nulls.function("NthValue", Type(TypeId::Null),
                     {{"input", node(null)}, {"offset", node(nulls.plan.integer(1))}, {"ignoreNulls", {false}}});
  EXPECT_NE(nulls.bound(nth, Type(TypeId::Null), nulls.until_row()).find("a window's value of type void"),
            std::string::npos);
  OneWindow constant;
  EXPECT_NE(
      constant.bound_column(constant.plan.literal(kLong, {int64_t{0}}), kLong).find("expression Literal of a window"),
      std::string::npos);
  OneWindow unknown;
  EXPECT_NE(unknown.bound(unknown.function("EWM", Type(TypeId::Double), {}), Type(TypeId::Double), unknown.until_row())
                .find("window function EWM"),
            std::string::npos);
}

}  // namespace
}  // namespace accelerant::plan
