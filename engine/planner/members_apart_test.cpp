#include "planner/members_apart.h"

#include "expressions/example_values.h"
#include "planner/narrow_scans.h"
#include "planner/push_filters.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace accelerant::planner {
namespace {

using expressions::ProgramBuilder;
using expressions::Slot;
using plan::NodePtr;
using test::kLong;
using types::DataType;

const DataType kPoint = DataType::structure({{"lat", kLong, true}, {"lon", kLong, true}});
const DataType kAddress = DataType::structure({{"zip", kLong, true}, {"point", kPoint, true}});

/// A scan of columns a, a number, and b, a struct.
NodePtr scan_of_struct() {
  auto node = std::make_shared<plan::Scan>();
  auto spec = std::make_shared<io::ScanSpec>();
  spec->columns = {{"a", kLong}, {"b", kAddress}};
  node->output = {{"a", kLong}, {"b", kAddress}};
  spec->filter_plan_node = node->plan_node = 0;
  node->spec = std::move(spec);
  return node;
}

Slot member(ProgramBuilder& builder, Slot of, const char* number, const DataType& type) {
  return builder.call("org.apache.spark.sql.catalyst.expressions.GetStructField",
                      {of, builder.literal(expressions::parse_example(number))}, type, expressions::EvalMode::Legacy,
                      0);
}

Slot struct_of(ProgramBuilder& builder) { return builder.input(1, kAddress, true); }

/// A projection of b.point.lat, and of all of b if `reads_all`.
std::shared_ptr<plan::Project> latitude(const NodePtr& input, bool reads_all = false) {
  ProgramBuilder builder;
  std::vector<Slot> outputs = {member(builder, member(builder, struct_of(builder), "1 int", kPoint), "0 int", kLong)};
  if (reads_all) outputs.push_back(struct_of(builder));
  auto node = std::make_shared<plan::Project>();
  node->inputs = {input};
  node->program = std::move(builder).finish(outputs);
  node->output = {{"lat", kLong}};
  if (reads_all) node->output.push_back({"b", kAddress});
  return node;
}

/// A filter whose condition is null where b.zip is.
NodePtr filtered_by_zip(const NodePtr& input) {
  ProgramBuilder builder;
  const Slot outputs[] = {builder.call("org.apache.spark.sql.catalyst.expressions.IsNotNull",
                                       {member(builder, struct_of(builder), "0 int", kLong)},
                                       DataType(types::TypeId::Boolean), expressions::EvalMode::Legacy, 0)};
  auto node = test::above<plan::Filter>(input);
  node->program = std::move(builder).finish(outputs);
  return node;
}

/// Names a scan's columns with their members; those that only filters read in parentheses.
std::string columns_of(const NodePtr& node) {
  std::string text;
  for (const io::ScanColumn& column : node->as<plan::Scan>().spec->columns) {
    std::string name = column.name;
    for (const std::string& member : column.members) name += "." + member;
    text += (text.empty() ? "" : " ") + (column.filter_only ? "(" + name + ")" : name);
  }
  return text;
}

TEST(MembersApart, AreColumnsOfTheScan) {
  const NodePtr scan = push_filters(filtered_by_zip(scan_of_struct()));
  const NodePtr root = read_members_apart(narrow_scans(latitude(scan)));
  const NodePtr& apart = root->inputs[0];
  EXPECT_EQ(columns_of(apart), "b.point.lat (b.zip)");
  ASSERT_EQ(apart->output.size(), 1u);
  EXPECT_EQ(apart->output[0].type, kLong);
  EXPECT_EQ(apart->as<plan::Scan>().emitted_columns(), (std::vector<size_t>{0}));
  EXPECT_EQ(apart->as<plan::Scan>().spec->filters[0]->inputs(), (std::vector<int>{1}));
  EXPECT_EQ(root->as<plan::Project>().program->input_of(0), 0);
}

TEST(MembersApart, StayTogetherWhereAStructIsReadWhole) {
  const NodePtr whole = latitude(scan_of_struct(), true);
  EXPECT_EQ(read_members_apart(whole), whole);
  const NodePtr handed_on = test::above<plan::Filter>(scan_of_struct());
  EXPECT_EQ(read_members_apart(latitude(handed_on))->inputs[0], handed_on);
}

}  // namespace
}  // namespace accelerant::planner
