#include "expressions/moved_program.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace accelerant::expressions {
namespace {

const types::DataType kLong(types::TypeId::Long);
const types::DataType kBoolean(types::TypeId::Boolean);

/// A program of two columns, and of whether they are equal.
std::shared_ptr<const Program> equality(int left, int right) {
  ProgramBuilder builder;
  const Slot a = builder.input(left, kLong, true);
  const Slot b = builder.input(right, kLong, true);
  const Slot outputs[] = {
      a, b, builder.call("org.apache.spark.sql.catalyst.expressions.EqualTo", {a, b}, kBoolean, EvalMode::Ansi, -1)};
  return std::move(builder).finish(outputs);
}

TEST(MovedProgram, ReadsItsColumnsElsewhere) {
  const std::optional<int> places[] = {4, std::nullopt, 1};
  const auto program = moved(equality(0, 2), places);
  EXPECT_EQ(program->inputs(), (std::vector<int>{1, 4}));
  EXPECT_EQ(program->to_string(), equality(4, 1)->to_string());
}

TEST(MovedProgram, IsTheSameWhereAllStays) {
  const std::optional<int> places[] = {0, 1, std::nullopt};
  const auto program = equality(0, 1);
  EXPECT_EQ(moved(program, places), program);
  EXPECT_EQ(moved(nullptr, places), nullptr);
}

TEST(MovedProgram, SharesWhatColumnsOfOnePlaceMake) {
  const std::optional<int> places[] = {3, 3};
  EXPECT_EQ(moved(equality(0, 1), places)->inputs(), (std::vector<int>{3}));
}

}  // namespace
}  // namespace accelerant::expressions
