#include "expressions/member_path.h"

#include "columns/test_columns.h"
#include "expressions/evaluator.h"
#include "expressions/example_values.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::expressions {
namespace {

namespace test = columns::test;
using types::DataType;
using types::TypeId;

const DataType kInt(TypeId::Int);
const DataType kPoint = DataType::structure({{"lat", kInt, true}, {"lon", kInt, true}});
const DataType kAddress = DataType::structure({{"city", DataType(TypeId::String), true}, {"point", kPoint, true}});
const std::string kPackage = "org.apache.spark.sql.catalyst.expressions.";

Slot member(ProgramBuilder& builder, Slot of, int number, const DataType& type) {
  const Slot position = builder.literal(parse_example(std::to_string(number) + " int"));
  return builder.call(kPackage + "GetStructField", {of, position}, type, EvalMode::Legacy, 0);
}

/// Returns address.point.lon, address.city and column 2.
std::shared_ptr<const Program> some_members() {
  ProgramBuilder builder;
  const Slot address = builder.input(1, kAddress, true);
  const Slot lon = member(builder, member(builder, address, 1, kPoint), 1, kInt);
  const Slot outputs[] = {lon, member(builder, address, 0, DataType(TypeId::String)), builder.input(2, kInt, true)};
  return std::move(builder).finish(outputs);
}

TEST(MemberPath, LeadsToAllThatIsRead) {
  EXPECT_EQ(paths_read(*some_members()), (std::set<MemberPath>{{1, {0}}, {1, {1, 1}}, {2}}));
  ProgramBuilder builder;
  const Slot address = builder.input(0, kAddress, true);
  const Slot outputs[] = {address, member(builder, address, 1, kPoint)};
  EXPECT_EQ(paths_read(*std::move(builder).finish(outputs)), (std::set<MemberPath>{{0}, {0, {1}}}));
}

TEST(MemberPath, MembersBecomeColumns) {
  const auto apart = with_members_apart(*some_members(), {{{1, {0}}, 3}, {{1, {1, 1}}, 0}, {{2}, 1}});
  EXPECT_EQ(apart->inputs(), (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(apart->input_of(0), 0);
  EXPECT_EQ(apart->input_of(1), 3);
  EXPECT_EQ(apart->input_of(2), 1);
}

TEST(MemberPath, MembersOfColumnsStayMembers) {
  const auto apart = with_members_apart(*some_members(), {{{1, {0}}, 2}, {{1, {1}}, 0}, {{2}, 1}});
  columns::Batch batch;
  batch.num_rows = 2;
  batch.columns = {parse_column("struct<lat:int,lon:int>", {"(1,2)", "null"}), parse_column("int", {"5", "6"}),
                   test::make_strings({"x", "y"})};
  Evaluator evaluator(apart, test::unlimited(), 0);
  const columns::Batch out = evaluator.project(batch);
  EXPECT_EQ(test::show(*out.columns[0]), (std::vector<std::string>{"2", "null"}));
  EXPECT_EQ(test::show(*out.columns[1]), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(test::show(*out.columns[2]), (std::vector<std::string>{"5", "6"}));
}

}  // namespace
}  // namespace accelerant::expressions
