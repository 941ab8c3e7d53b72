#include "expressions/natural_order.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace accelerant::expressions {
namespace {

using types::DataType;
using types::TypeId;

class NaturalOrder : public testing::Test {
 protected:
  Slot number(int32_t value) {
    return builder_.literal(
        columns::test::make_flat<int32_t>(DataType(TypeId::Int), {value}, types::PhysicalType::Int32));
  }
  Slot predicate(const std::string& name, std::vector<Slot> arguments) {
    return builder_.call("org.apache.spark.sql.catalyst.expressions." + name, std::move(arguments),
                         DataType(TypeId::Boolean), EvalMode::Legacy, 5);
  }
  Slot choose(Slot condition, Slot yes, Slot no) {
    return builder_.case_when({{condition, yes}}, no, DataType(TypeId::Int));
  }
  Slot input(int column, bool nullable) { return builder_.input(column, DataType(TypeId::Long), nullable, column); }
  Slot by_value(Slot left, Slot right) {
    return choose(predicate("LessThan", {left, right}), number(-1),
                  choose(predicate("GreaterThan", {left, right}), number(1), number(0)));
  }
  bool is_natural(Slot output) {
    const Slot outputs[] = {output};
    return is_natural_order(*std::move(builder_).finish(outputs));
  }

  ProgramBuilder builder_;
};

TEST_F(NaturalOrder, ComparesValuesThatAreNeverNull) {
  EXPECT_TRUE(is_natural(by_value(input(0, false), input(1, false))));
}

TEST_F(NaturalOrder, PutsNullsLast) {
  const Slot left = input(0, true);
  const Slot right = input(1, true);
  const Slot is_left_null = predicate("IsNull", {left});
  const Slot is_right_null = predicate("IsNull", {right});
  const Slot one_at_most = choose(is_left_null, number(1), choose(is_right_null, number(-1), by_value(left, right)));
  EXPECT_TRUE(is_natural(choose(builder_.conjunction({is_left_null, is_right_null}), number(0), one_at_most)));
}

TEST_F(NaturalOrder, IsNotTheOtherWayRound) { EXPECT_FALSE(is_natural(by_value(input(1, false), input(0, false)))); }

TEST_F(NaturalOrder, HasItsNumbers) {
  const Slot left = input(0, false);
  const Slot right = input(1, false);
  EXPECT_FALSE(is_natural(choose(predicate("LessThan", {left, right}), number(1),
                                 choose(predicate("GreaterThan", {left, right}), number(-1), number(0)))));
}

TEST_F(NaturalOrder, ReadsBothValues) { EXPECT_FALSE(is_natural(input(0, false))); }

}  // namespace
}  // namespace accelerant::expressions
