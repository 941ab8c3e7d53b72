#include "expressions/selectivity.h"

#include "expressions/example_values.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace accelerant::expressions {
namespace {

using types::DataType;
using types::TypeId;

/// Conditions over column 0, an int of 0 to 99 of which a tenth is null, and column 1, a string of 4 values.
struct World {
  ProgramBuilder builder;
  Slot number = builder.input(0, DataType(TypeId::Int), true);
  Slot text = builder.input(1, DataType(TypeId::String), true);

  Slot call(const std::string& name, std::vector<Slot> arguments) {
    return builder.call("org.apache.spark.sql.catalyst.expressions." + name, std::move(arguments),
                        DataType(TypeId::Boolean), EvalMode::Ansi, 1);
  }
  Slot literal(const char* example) { return builder.literal(parse_example(example)); }
  double share(std::vector<Slot> conditions) {
    const auto program = std::move(builder).finish(conditions);
    return passing_share({&program, 1}, [](int column) {
      return column == 0 ? ColumnEstimate{100, 0.1, 0, 99} : ColumnEstimate{4, 0, std::nullopt, std::nullopt};
    });
  }
};

TEST(PassingShare, TakesAnEqualityAsOneOfTheDistinctValues) {
  World world;
  EXPECT_DOUBLE_EQ(world.share({world.call("EqualTo", {world.number, world.literal("7 int")})}), 0.009);
  World texts;
  EXPECT_DOUBLE_EQ(texts.share({texts.call("EqualTo", {texts.literal("a string"), texts.text})}), 0.25);
  World lists;
  EXPECT_DOUBLE_EQ(lists.share({lists.builder.in_list(lists.number, parse_example("7 int"))}), 0.009);
}

TEST(PassingShare, TakesTheBoundsOnAColumnTogether) {
  World world;
  const Slot low = world.call("GreaterThanOrEqual", {world.number, world.literal("40 int")});
  const Slot high = world.call("GreaterThan", {world.literal("50 int"), world.number});
  EXPECT_NEAR(world.share({low, high}), 0.9 * 10 / 99, 1e-9);
  World never;
  EXPECT_EQ(never.share({never.call("LessThan", {never.number, never.literal("-5 int")})}), 0);
}

TEST(PassingShare, CombinesConditions) {
  World world;
  const Slot a = world.call("EqualTo", {world.text, world.literal("a string")});
  const Slot b = world.call("EqualTo", {world.text, world.literal("b string")});
  EXPECT_DOUBLE_EQ(world.share({world.builder.disjunction({a, b})}), 1 - 0.75 * 0.75);
  World negated;
  const Slot c = negated.call("EqualTo", {negated.text, negated.literal("a string")});
  EXPECT_DOUBLE_EQ(negated.share({negated.call("Not", {c})}), 0.75);
  World both;
  const Slot null = both.call("IsNull", {both.number});
  const Slot equal = both.call("EqualTo", {both.text, both.literal("a string")});
  EXPECT_DOUBLE_EQ(both.share({both.builder.conjunction({null, equal})}), 0.1 * 0.25);
}

TEST(PassingShare, TakesConditionsOfAnyLength) {
  for (const bool all : {false, true}) {
    World world;
    std::vector<Slot> terms;
    for (int i = 0; i < 50'000; ++i) {
      const Slot equal = world.call("EqualTo", {world.number, world.literal((std::to_string(i) + " int").c_str())});
      const Slot null = world.call("IsNull", {world.text});
      terms.push_back(all ? world.builder.disjunction({equal, null}) : world.builder.conjunction({equal, null}));
    }
    const double share = world.share({all ? world.builder.conjunction(terms) : world.builder.disjunction(terms)});
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
  }
}

TEST(PassingShare, KnowsNothingOfOtherConditions) {
  World world;
  const Slot found = world.call("Like", {world.text, world.literal("%a% string"), world.literal("\\ string")});
  const double share = world.share({found});
  EXPECT_GT(share, 0);
  EXPECT_LT(share, 1);
}

TEST(AsNumber, IsOfNumbersAlone) {
  EXPECT_EQ(as_number(*parse_example("-7 smallint")), -7);
  EXPECT_EQ(as_number(*parse_example("1.50 decimal(5,2)")), 150);
  EXPECT_EQ(as_number(*parse_example("12345678901234567890 decimal(38,0)")), 12345678901234567890.0);
  EXPECT_EQ(as_number(*parse_example("0.5 double")), 0.5);
  EXPECT_EQ(as_number(*parse_example("null int")), std::nullopt);
  EXPECT_EQ(as_number(*parse_example("a string")), std::nullopt);
}

}  // namespace
}  // namespace accelerant::expressions
