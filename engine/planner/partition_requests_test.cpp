#include "planner/partition_requests.h"

#include "plan/project.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelerant::planner {
namespace {

using plan::JoinType;
using test::above;
using test::columns;
using test::join;
using test::kLong;
using test::source;

/// A scan whose first column is the files'.
plan::NodePtr partitioned() {
  auto node = source();
  auto spec = std::make_shared<io::ScanSpec>();
  for (const plan::OutputColumn& column : node->output) spec->columns.push_back({column.name, column.type});
  spec->columns.front().partition_index = 0;
  node->spec = std::move(spec);
  return node;
}

std::shared_ptr<plan::Project> projected(const plan::NodePtr& input,
                                         std::shared_ptr<const expressions::Program> program) {
  auto node = above<plan::Project>(input);
  node->output.resize(static_cast<size_t>(program->num_outputs()));
  node->program = std::move(program);
  return node;
}

/// `column + column`, which may overflow, and the column.
std::shared_ptr<const expressions::Program> failing() {
  expressions::ProgramBuilder builder;
  const auto column = builder.input(0, kLong, true);
  const auto sum = builder.call("org.apache.spark.sql.catalyst.expressions.Add", {column, column}, kLong,
                                expressions::EvalMode::Ansi, 1);
  const std::vector<expressions::Slot> outputs = {column, sum};
  return std::move(builder).finish(outputs);
}

TEST(PartitionRequests, OfKeysThatAreColumnsOfFiles) {
  const auto scan = partitioned();
  const auto dropping = join(scan, source());
  const std::vector<PartitionRequest> requests = find_partition_requests(scan, {dropping});
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].join, dropping.get());
  EXPECT_EQ(requests[0].key, 0);
  EXPECT_EQ(requests[0].value->input_of(0), 0);
  EXPECT_TRUE(find_partition_requests(scan, {join(scan, source(), JoinType::FullOuter)}).empty());
  EXPECT_TRUE(find_partition_requests(source(), {dropping}).empty());
}

TEST(PartitionRequests, FollowColumnsThroughTransforms) {
  const auto scan = partitioned();
  const auto swapped = projected(scan, columns({1, 0}));
  const auto back = projected(swapped, columns({1, 0}));
  EXPECT_TRUE(find_partition_requests(scan, {swapped, join(swapped, source())}).empty());
  EXPECT_EQ(find_partition_requests(scan, {swapped, back, join(back, source())}).size(), 1U);
  const auto first = join(scan, source());
  EXPECT_EQ(find_partition_requests(scan, {first, join(first, source())}).size(), 2U);
}

TEST(PartitionRequests, GoBelowNothingThatMayFail) {
  const auto scan = partitioned();
  const auto adding = projected(scan, failing());
  EXPECT_TRUE(find_partition_requests(scan, {adding, join(adding, source())}).empty());
}

TEST(PartitionRequests, LeaveRowsThatNeedNoMatch) {
  const auto scan = partitioned();
  const auto outer = join(scan, source(), JoinType::LeftOuter);
  const auto inner = join(outer, source());
  const std::vector<PartitionRequest> requests = find_partition_requests(scan, {outer, inner});
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].join, inner.get());
}

}  // namespace
}  // namespace accelerant::planner
