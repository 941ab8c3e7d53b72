#include "plan/aggregate.h"
#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"
#include "plan/test_steps.h"

#include <gtest/gtest.h>

#include <string>

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
  int root = 0;

  void make(const char* name, Fields fields) {
    fields.push_back({"mutableAggBufferOffset", {int64_t{0}}});
    fields.push_back({"inputAggBufferOffset", {int64_t{0}}});
    const std::string class_name = std::string("org.apache.spark.sql.catalyst.expressions.aggregate.") + name;
    const int function = plan.builder.expression(class_name, kResult.type, true, fields);
    const int result = plan.attribute(kResult);
    const int call = plan.call(function, "Complete", kResult.id);
    root = plan.aggregate({}, {call}, {result}, {result}, plan.scan({kText, kOther}), {kResult});
  }
  std::string reason() { return test::first_reason(judge(decode_plan(plan.builder.finish(root))).verdict); }
  AggregateCall bound() { return bind(decode_plan(plan.builder.finish(root))).root->as<Aggregate>().calls.front(); }
};

Query mode(Value reverse) {
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
  EXPECT_EQ(list_in_order_of({kOther}).reason(), "aggregate listagg in the order of another value");
  EXPECT_EQ(list_in_order_of({kText, kOther}).reason(),
            "field orderExpressions of ListAgg holds several (Spark 4.3.0)");
}

}  // namespace
}  // namespace accelerant::plan
