#include "expressions/pruning.h"

#include "expressions/example_values.h"

#include <gtest/gtest.h>

namespace accelerant::expressions {
namespace {

using types::DataType;
using types::TypeId;

/// Statistics of one column, and conditions about it.
struct World {
  ProgramBuilder builder;
  ColumnStatistics statistics;
  Slot a;

  explicit World(const char* min = "10 int", const char* max = "20 int", std::optional<int64_t> nulls = 0) {
    statistics = {parse_example(min), parse_example(max), nulls};
    a = builder.input(0, statistics.min->type(), true);
  }
  Slot call(const char* name, std::vector<Slot> arguments) {
    return builder.call(std::string("org.apache.spark.sql.catalyst.expressions.") + name, std::move(arguments),
                        DataType(TypeId::Boolean), EvalMode::Ansi, 1);
  }
  Slot compare(const char* name, const char* constant) {
    return call(name, {a, builder.literal(parse_example(constant))});
  }
  Verdict prune_all(Slot output) {
    const Slot outputs[] = {output};
    return prune(*std::move(builder).finish(outputs), {&statistics, 1}, 100);
  }
};

Verdict compare(const char* name, const char* constant) {
  World world;
  return world.prune_all(world.compare(name, constant));
}

TEST(Pruning, ComparesBounds) {
  EXPECT_EQ(compare("LessThan", "10 int"), Verdict::NoRow);
  EXPECT_EQ(compare("LessThan", "11 int"), Verdict::Unknown);
  EXPECT_EQ(compare("LessThan", "21 int"), Verdict::EveryRow);
  EXPECT_EQ(compare("LessThanOrEqual", "9 int"), Verdict::NoRow);
  EXPECT_EQ(compare("LessThanOrEqual", "20 int"), Verdict::EveryRow);
  EXPECT_EQ(compare("GreaterThan", "20 int"), Verdict::NoRow);
  EXPECT_EQ(compare("GreaterThan", "9 int"), Verdict::EveryRow);
  EXPECT_EQ(compare("GreaterThanOrEqual", "21 int"), Verdict::NoRow);
  EXPECT_EQ(compare("GreaterThanOrEqual", "10 int"), Verdict::EveryRow);
  EXPECT_EQ(compare("EqualTo", "9 int"), Verdict::NoRow);
  EXPECT_EQ(compare("EqualTo", "15 int"), Verdict::Unknown);
  EXPECT_EQ(compare("EqualTo", "21 int"), Verdict::NoRow);
}

/// The values 12 and 17.
struct TwoValues final : ValueSet {
  bool may_contain(const columns::Column& constant) const override {
    return constant.values<int32_t>()[0] == 12 || constant.values<int32_t>()[0] == 17;
  }
};

TEST(Pruning, LooksIntoSetsOfValues) {
  const auto verdict = [](const char* name, const char* constant) {
    World world;
    world.statistics.values = std::make_shared<TwoValues>();
    return world.prune_all(world.compare(name, constant));
  };
  EXPECT_EQ(verdict("EqualTo", "12 int"), Verdict::Unknown);
  EXPECT_EQ(verdict("EqualTo", "13 int"), Verdict::NoRow);
  EXPECT_EQ(verdict("LessThan", "13 int"), Verdict::Unknown);
  World in;
  in.statistics.values = std::make_shared<TwoValues>();
  EXPECT_EQ(in.prune_all(in.builder.in_list(in.a, parse_example("13 int"))), Verdict::NoRow);
  World swapped;
  swapped.statistics.values = std::make_shared<TwoValues>();
  const Slot constant = swapped.builder.literal(parse_example("13 int"));
  EXPECT_EQ(swapped.prune_all(swapped.call("EqualTo", {constant, swapped.a})), Verdict::NoRow);
  World negated;
  negated.statistics.values = std::make_shared<TwoValues>();
  const Slot equal = negated.compare("EqualTo", "13 int");
  EXPECT_EQ(negated.prune_all(negated.call("Not", {equal})), Verdict::EveryRow);
}

TEST(Pruning, NullsNeverPass) {
  World some("10 int", "20 int", 5);
  EXPECT_EQ(some.prune_all(some.compare("LessThan", "21 int")), Verdict::Unknown);
  World all("10 int", "20 int", 100);
  EXPECT_EQ(all.prune_all(all.compare("LessThan", "21 int")), Verdict::NoRow);
}

TEST(Pruning, NullTests) {
  World none;
  EXPECT_EQ(none.prune_all(none.call("IsNull", {none.a})), Verdict::NoRow);
  World all("10 int", "20 int", 100);
  EXPECT_EQ(all.prune_all(all.call("IsNotNull", {all.a})), Verdict::NoRow);
  World unknown("10 int", "20 int", std::nullopt);
  EXPECT_EQ(unknown.prune_all(unknown.call("IsNotNull", {unknown.a})), Verdict::Unknown);
}

TEST(Pruning, NanIsAboveEveryBound) {
  World world("1 double", "2 double");
  EXPECT_EQ(world.prune_all(world.compare("GreaterThan", "5 double")), Verdict::Unknown);
  World below("1 double", "2 double");
  EXPECT_EQ(below.prune_all(below.compare("LessThan", "1 double")), Verdict::NoRow);
}

TEST(Pruning, InLists) {
  World outside;
  EXPECT_EQ(outside.prune_all(outside.builder.in_list(outside.a, parse_column("int", {"5", "30", "null"}))),
            Verdict::NoRow);
  World inside;
  EXPECT_EQ(inside.prune_all(inside.builder.in_list(inside.a, parse_column("int", {"5", "12"}))), Verdict::Unknown);
}

TEST(Pruning, LongInListsDecideNothing) {
  std::vector<std::string> numbers;
  for (int i = 0; i < 200; ++i) numbers.push_back(std::to_string(i));
  World one_value("1000 int", "1000 int");
  EXPECT_EQ(one_value.prune_all(one_value.builder.in_list(one_value.a, parse_column("int", numbers))),
            Verdict::Unknown);
  World negated("1000 int", "1000 int");
  EXPECT_EQ(negated.prune_all(negated.call("Not", {negated.builder.in_list(negated.a, parse_column("int", numbers))})),
            Verdict::Unknown);
}

TEST(Pruning, AndOrNot) {
  World both;
  EXPECT_EQ(both.prune_all(
                both.builder.conjunction({both.compare("GreaterThan", "12 int"), both.compare("LessThan", "5 int")})),
            Verdict::NoRow);
  World either;
  EXPECT_EQ(either.prune_all(either.builder.disjunction(
                {either.compare("GreaterThan", "30 int"), either.compare("LessThan", "5 int")})),
            Verdict::NoRow);
  World negated;
  EXPECT_EQ(negated.prune_all(negated.call("Not", {negated.compare("LessThan", "21 int")})), Verdict::NoRow);
}

TEST(Pruning, LooksThroughWidenedDecimals) {
  World world("1.00 decimal(5,2)", "2.00 decimal(5,2)");
  const Slot wide = world.builder.call("org.apache.spark.sql.catalyst.expressions.Cast", {world.a},
                                       DataType::decimal(10, 2), EvalMode::Ansi, 1);
  const Slot condition = world.call("GreaterThan", {wide, world.builder.literal(parse_example("2.00 decimal(10,2)"))});
  EXPECT_EQ(world.prune_all(condition), Verdict::NoRow);
}

}  // namespace
}  // namespace accelerant::expressions
