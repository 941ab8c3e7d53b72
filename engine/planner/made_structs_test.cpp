#include "planner/made_structs.h"

#include "expressions/example_values.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace accelerant::planner {
namespace {

using expressions::EvalMode;
using expressions::ProgramBuilder;
using expressions::Slot;
using plan::NodePtr;
using test::kLong;
using types::DataType;

const DataType kPair = DataType::structure({{"x", kLong, true}, {"y", kLong, true}});

Slot call(ProgramBuilder& builder, const char* name, std::vector<Slot> arguments, const DataType& type,
          EvalMode mode = EvalMode::Legacy) {
  return builder.call(std::string("org.apache.spark.sql.catalyst.expressions.") + name, std::move(arguments), type,
                      mode, 0);
}

Slot member(ProgramBuilder& builder, Slot of, const char* number) {
  return call(builder, "GetStructField", {of, builder.literal(expressions::parse_example(number))}, kLong);
}

/// A projection of column a and of a struct of b and b + c.
NodePtr struct_made(EvalMode mode = EvalMode::Legacy) {
  ProgramBuilder builder;
  const Slot b = builder.input(1, kLong, true);
  const Slot sum = call(builder, "Add", {b, builder.input(2, kLong, true)}, kLong, mode);
  const std::vector<Slot> outputs = {builder.input(0, kLong, true),
                                     call(builder, "CreateNamedStruct", {b, sum}, kPair)};
  auto node = std::make_shared<plan::Project>();
  node->inputs = {test::source()};
  node->program = std::move(builder).finish(outputs);
  node->output = {{"a", kLong}, {"s", kPair}};
  return node;
}

/// A projection of a and s.y, and of s if `reads_all`.
NodePtr member_read(const NodePtr& input, bool reads_all = false) {
  ProgramBuilder builder;
  const Slot made = builder.input(1, kPair, true);
  std::vector<Slot> outputs = {builder.input(0, kLong, true), member(builder, made, "1 int")};
  if (reads_all) outputs.push_back(made);
  auto node = std::make_shared<plan::Project>();
  node->inputs = {input};
  node->program = std::move(builder).finish(outputs);
  node->output = {{"a", kLong}, {"y", kLong}};
  if (reads_all) node->output.push_back({"s", kPair});
  return node;
}

/// A filter whose condition is null where s.x is.
NodePtr filtered(const NodePtr& input) {
  ProgramBuilder builder;
  const Slot outputs[] = {call(builder, "IsNotNull", {member(builder, builder.input(1, kPair, true), "0 int")},
                               DataType(types::TypeId::Boolean))};
  auto node = test::above<plan::Filter>(input);
  node->program = std::move(builder).finish(outputs);
  return node;
}

std::string program_of(const NodePtr& node) { return node->as<plan::Project>().program->to_string(); }

TEST(MadeStructs, GiveMembersWhereNothingElseIsRead) {
  const NodePtr root = take_structs_apart(member_read(struct_made()));
  const NodePtr& below = root->inputs.front();
  ASSERT_EQ(below->output.size(), 2u);
  EXPECT_EQ(below->output[1].name, "y");
  EXPECT_EQ(below->output[1].type, kLong);
  EXPECT_EQ(program_of(below).find("CreateNamedStruct"), std::string::npos) << program_of(below);
  EXPECT_EQ(program_of(root).find("GetStructField"), std::string::npos) << program_of(root);
}

TEST(MadeStructs, GiveWhatFiltersBetweenReadToo) {
  const NodePtr root = take_structs_apart(member_read(filtered(struct_made())));
  const NodePtr& filter = root->inputs.front();
  ASSERT_TRUE(filter->is<plan::Filter>());
  EXPECT_EQ(filter->output.size(), 3u);
  EXPECT_EQ(filter->output, filter->inputs.front()->output);
  EXPECT_EQ(filter->as<plan::Filter>().program->to_string().find("GetStructField"), std::string::npos);
  EXPECT_EQ(root->as<plan::Project>().program->input_of(1), 2);
}

TEST(MadeStructs, StayWhereTheyAreReadWholeOrAMemberMayFail) {
  const NodePtr whole = member_read(struct_made(), true);
  EXPECT_EQ(take_structs_apart(whole), whole);
  const NodePtr failing = member_read(struct_made(EvalMode::Ansi));
  EXPECT_EQ(take_structs_apart(failing), failing);
}

TEST(MadeStructs, AreNotMadeForOneMemberWithinAProgram) {
  for (const EvalMode mode : {EvalMode::Legacy, EvalMode::Ansi}) {
    ProgramBuilder builder;
    const Slot a = builder.input(0, kLong, true);
    const Slot sum = call(builder, "Add", {a, a}, kLong, mode);
    const Slot made = call(builder, "CreateNamedStruct", {a, sum}, kPair);
    EXPECT_EQ(member(builder, made, "0 int") == a, mode == EvalMode::Legacy);
    EXPECT_EQ(member(builder, made, "1 int"), sum);
  }
}

}  // namespace
}  // namespace accelerant::planner
