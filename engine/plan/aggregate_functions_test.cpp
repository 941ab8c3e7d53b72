#include "plan/aggregate.h"
#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"
#include "plan/test_steps.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::plan {
namespace {

using types::TypeId;
using Column = SparkPlan::Column;
using Fields = PlanMessageBuilder::Fields;
using Type = SparkPlan::Type;

const Column kText{"t", 1, Type(TypeId::String)};
const Column kOther{"u", 2, Type(TypeId::String)};
const Column kResult{"r", 20, Type(TypeId::String)};

/// A query of one aggregate of two columns of text.
struct Query {
  SparkPlan plan;
  Column result = kResult;
  int root = 0;

  void make(const char* name, Fields fields) {
    fields.push_back({"mutableAggBufferOffset", {int64_t{0}}});
    fields.push_back({"inputAggBufferOffset", {int64_t{0}}});
    const std::string class_name = std::string("org.apache.spark.sql.catalyst.expressions.aggregate.") + name;
    const int function = plan.builder.expression(class_name, result.type, true, fields);
    const int attribute = plan.attribute(result);
    const int call = plan.call(function, "Complete", result.id);
    root = plan.aggregate({}, {call}, {attribute}, {attribute}, plan.scan({kText, kOther}), {result});
  }
  std::string reason() { return test::first_reason(judge(decode_plan(plan.builder.finish(root))).verdict); }
  AggregateCall bound() { return bind(decode_plan(plan.builder.finish(root))).root->as<Aggregate>().calls.front(); }
};

Query mode(FieldValue reverse) {
  Query query;
  query.make("Mode", {{"child", {NodeReference{query.plan.attribute(kText)}}}, {"reverseOpt", std::move(reverse)}});
  return query;
}

TEST(AggregateFunctions, TakesWhatAnOptionHolds) {
  EXPECT_TRUE(mode({List{{{true}}}}).bound().options.prefers_least);
  EXPECT_FALSE(mode({List{{{false}}}}).bound().options.prefers_least);
  EXPECT_EQ(mode(SparkPlan::nodes({})).reason(), "field reverseOpt of Mode is not given (Spark 4.3.0)");
}

/// Returns listagg(t) in the order of columns.
Query list_in_order_of(const std::vector<Column>& columns, bool ascending = true) {
  Query query;
  std::vector<int> orders;
  for (const Column& column : columns) {
    orders.push_back(query.plan.sort_order(query.plan.attribute(column), ascending));
  }
  query.make("ListAgg", {{"child", {NodeReference{query.plan.attribute(kText)}}},
                         {"delimiter", {NodeReference{query.plan.literal(Type(TypeId::Null), {})}}},
                         {"orderExpressions", SparkPlan::nodes(orders)}});
  return query;
}

TEST(AggregateFunctions, MayOrderTheirOwnValues) {
  EXPECT_TRUE(list_in_order_of({}).bound().is_order_sensitive());
  const AggregateCall ascending = list_in_order_of({kText}).bound();
  EXPECT_TRUE(ascending.options.is_ordered && !ascending.options.descending);
  EXPECT_FALSE(ascending.is_order_sensitive());
  EXPECT_TRUE(list_in_order_of({kText}, false).bound().options.descending);
  EXPECT_TRUE(ascending.orders.empty());
}

TEST(AggregateFunctions, MayOrderTheirValuesByOthers) {
  for (const std::vector<Column>& columns : {std::vector{kOther}, std::vector{kText, kOther}}) {
    const AggregateCall call = list_in_order_of(columns, false).bound();
    EXPECT_FALSE(call.options.is_ordered);
    EXPECT_EQ(call.orders.size(), columns.size());
    EXPECT_TRUE(call.orders.front().descending);
    EXPECT_EQ(call.argument_types.front().fields().size(), columns.size() + 1);
  }
}

/// Returns approx_count_distinct(t) as the JVM encodes it.
Query different_texts(FieldValue precision, FieldValue corrections) {
  Query query;
  query.result = {"r", 20, Type(TypeId::Long)};
  query.make("HyperLogLogPlusPlus", {{"child", {NodeReference{query.plan.attribute(kText)}}},
                                     {"relativeSD", {0.05}},
                                     {"precision", std::move(precision)},
                                     {"corrections", std::move(corrections)}});
  return query;
}

TEST(AggregateFunctions, TakeNumbersOfSparks) {
  const AggregateCall call = different_texts({int64_t{12}}, {List{{{400.0}, {1.5}, {0.25}}}}).bound();
  EXPECT_EQ(call.options.precision, 12);
  EXPECT_EQ(call.numbers, (std::vector<double>{400, 1.5, 0.25}));
  EXPECT_EQ(call.context().num_numbers, 3);
  EXPECT_TRUE(different_texts({int64_t{19}}, {List{}}).bound().numbers.empty());
  EXPECT_EQ(different_texts({int64_t{27}}, {List{}}).reason(),
            "field precision of HyperLogLogPlusPlus is 27 (Spark 4.3.0)");
  EXPECT_EQ(different_texts({int64_t{9}}, {List{{{int64_t{1}}}}}).reason(),
            "field corrections of HyperLogLogPlusPlus holds an integer (Spark 4.3.0)");
}

}  // namespace
}  // namespace accelerant::plan
