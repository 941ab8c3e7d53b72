#include "planner/expand_order.h"

#include "columns/test_columns.h"
#include "plan/expand.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::planner {
namespace {

using expressions::Slot;
using plan::NodePtr;
using test::kLong;

/// A projection to a column and a constant.
plan::ProgramPtr projection(int64_t constant) {
  expressions::ProgramBuilder builder;
  columns::FlatBuilder values(kLong, types::PhysicalType::Int64, 1, columns::test::unlimited());
  values.values<int64_t>()[0] = constant;
  const Slot outputs[] = {builder.input(0, kLong, true), builder.literal(values.finish())};
  return std::move(builder).finish(outputs);
}

/// Says whether rows of an expansion come in order where a function is computed of its groups by a column.
bool is_ordered(std::string_view function, int key, const std::vector<int64_t>& constants = {0, 1}) {
  auto expand = std::make_shared<plan::Expand>();
  expand->inputs = {test::file_scan()};
  expand->output = {{"a", kLong}, {"gid", kLong}};
  for (const int64_t constant : constants) expand->projections.push_back(projection(constant));
  auto aggregate = test::grouped(expand, {key});
  aggregate->calls.push_back(plan::aggregate_call(function, {0}, {kLong}, kLong));
  return relax_expand_order(aggregate)->inputs[0]->as<plan::Expand>().in_row_order;
}

TEST(RelaxExpandOrder, WantsOrderOnlyWhereItMatters) {
  EXPECT_FALSE(is_ordered("sum", 0));
  EXPECT_FALSE(is_ordered("first", 1));
  EXPECT_TRUE(is_ordered("first", 0));
}

TEST(RelaxExpandOrder, TellsProjectionsApartByConstantsThatDiffer) { EXPECT_TRUE(is_ordered("first", 1, {0, 1, 0})); }

}  // namespace
}  // namespace accelerant::planner
