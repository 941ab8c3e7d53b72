#include "plan/pivot_places.h"

#include "plan/aggregate.h"
#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"
#include "plan/test_steps.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace accelerant::plan {
namespace {

using types::TypeId;
using Column = SparkPlan::Column;
using Type = SparkPlan::Type;

const Column kValue{"v", 1, Type(TypeId::Int)};
const Column kResult{"r", 20, Type::array(Type(TypeId::Int), true)};

/// A query of the values of a pivot.
struct Pivot {
  SparkPlan plan;
  int root = 0;

  Pivot(const Type& by, std::vector<FieldValue> constants) {
    const Column pivot{"p", 2, by};
    const int function =
        plan.builder.expression("org.apache.spark.sql.catalyst.expressions.aggregate.PivotFirst", kResult.type, false,
                                {{"pivotColumn", {NodeReference{plan.attribute(pivot)}}},
                                 {"valueColumn", {NodeReference{plan.attribute(kValue)}}},
                                 {"pivotColumnValues", {List{std::move(constants)}}},
                                 {"mutableAggBufferOffset", {int64_t{0}}},
                                 {"inputAggBufferOffset", {int64_t{0}}}});
    const int result = plan.attribute(kResult);
    const int call = plan.call(function, "Complete", kResult.id);
    root = plan.aggregate({}, {call}, {result}, {result}, plan.scan({kValue, pivot}), {kResult});
  }
  std::string reason() const { return test::first_reason(judge(decode_plan(plan.builder.finish(root))).verdict); }
  AggregateCall bound() const {
    return bind(decode_plan(plan.builder.finish(root))).root->as<Aggregate>().calls.front();
  }
};

FieldValue text(std::string_view bytes) { return {Bytes{bytes}}; }
FieldValue number(int64_t value) { return {value}; }

TEST(PivotPlaces, StandForTheValuesOfThePivot) {
  const AggregateCall call = Pivot(Type(TypeId::String), {text("a"), text("b"), {}}).bound();
  EXPECT_EQ(call.options.num_places, 3);
  EXPECT_EQ(call.argument_types, (std::vector<Type>{Type(TypeId::Int), Type(TypeId::Long)}));
  EXPECT_EQ(Pivot(Type(TypeId::Long), {number(7)}).bound().options.num_places, 1);
}

TEST(PivotPlaces, RefuseWhatVersionsOfSparkDoInOtherWays) {
  EXPECT_EQ(Pivot(Type(TypeId::Long), {number(1), number(2), number(1)}).reason(), "a pivot with the same value twice");
  EXPECT_EQ(Pivot(Type(TypeId::Long), {number(1), {}, {}}).reason(), "a pivot with the same value twice");
  EXPECT_EQ(Pivot(Type(TypeId::Double), {{1.5}}).reason(), "a pivot by a column of type double");
  EXPECT_EQ(Pivot(Type(TypeId::Binary), {text("a")}).reason(), "a pivot by a column of type binary");
  const Type pair = Type::structure({{"a", Type(TypeId::Int)}});
  EXPECT_EQ(Pivot(pair, {FieldValue{List{{number(1)}}}, {}}).reason(),
            "a pivot by null and values of type struct<a:int>");
}

TEST(PivotPlaces, RefuseMoreThanRowsShouldBeComparedWith) {
  std::vector<FieldValue> many;
  for (int64_t i = 0; i <= 1000; ++i) many.push_back(number(i));
  EXPECT_EQ(Pivot(Type(TypeId::Long), std::move(many)).reason(), "a pivot with more than 1,000 values");
  EXPECT_EQ(Pivot(Type(TypeId::Long), {}).reason(), "field pivotColumnValues of PivotFirst (Spark 4.3.0)");
}

}  // namespace
}  // namespace accelerant::plan
