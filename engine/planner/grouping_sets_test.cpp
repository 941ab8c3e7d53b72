#include "planner/grouping_sets.h"

#include "columns/test_columns.h"
#include "operators/grouping_sets.h"
#include "operators/test_breakers.h"
#include "plan/expand.h"
#include "planner/device_placement.h"
#include "planner/operators.h"
#include "planner/physical_plan.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <optional>
#include <vector>

namespace accelerant::planner {
namespace {

using columns::test::make_longs;
using columns::test::show;
using expressions::Slot;
using test::kLong;

/// An expansion of [a, b, c] to [a or null, b or null, number, c], rows in any order.
std::shared_ptr<plan::Expand> expansion(const std::vector<std::vector<bool>>& kept,
                                        const std::vector<int64_t>& numbers) {
  auto expand = std::make_shared<plan::Expand>();
  expand->inputs = {test::file_scan()};
  expand->output = {{"a", kLong}, {"b", kLong}, {"number", kLong}, {"c", kLong}};
  expand->in_row_order = false;
  for (size_t i = 0; i < kept.size(); ++i) {
    expressions::ProgramBuilder builder;
    std::vector<Slot> outputs;
    for (int column = 0; column < 2; ++column) {
      outputs.push_back(kept[i][static_cast<size_t>(column)] ? builder.input(column, kLong, true)
                                                             : builder.literal(make_longs({std::nullopt})));
    }
    outputs.push_back(builder.literal(make_longs({numbers[i]})));
    outputs.push_back(builder.input(2, kLong, true));
    expand->projections.push_back(std::move(builder).finish(outputs));
  }
  return expand;
}

/// Sums c of an expansion's groups by other columns.
std::shared_ptr<plan::Aggregate> sums(std::shared_ptr<plan::Expand> expand, const std::vector<int>& keys) {
  auto aggregate = test::grouped(std::move(expand), keys);
  std::vector<int> columns = keys;
  columns.push_back(3);
  aggregate->input = test::columns(columns);
  aggregate->calls = {plan::aggregate_call("sum", {static_cast<int>(keys.size())}, {kLong}, kLong)};
  return aggregate;
}

std::optional<operators::GroupingSets> sets(std::shared_ptr<plan::Expand> expand, const std::vector<int>& keys) {
  return grouping_sets(*sums(std::move(expand), keys));
}

TEST(GroupingSets, DropKeysThatAreConstants) {
  const auto found = sets(expansion({{true, false}, {false, true}}, {1, 2}), {0, 1, 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->telling_column, 2);
  ASSERT_EQ(found->sets.size(), 2u);
  EXPECT_EQ(found->least_bytes, 64 << 20);
  for (size_t i = 0; i < 2; ++i) {
    const operators::GroupingSet& set = found->sets[i];
    EXPECT_EQ(set.number, static_cast<int64_t>(i) + 1);
    EXPECT_EQ(set.node->keys.size(), 1u);
    EXPECT_EQ(set.node->input->input_of(0), static_cast<int>(i));
    EXPECT_EQ(set.node->calls.front().arguments, std::vector<int>{1});
    EXPECT_EQ(set.node->input->input_of(1), 3);
    EXPECT_EQ(set.constants[i], nullptr);
    EXPECT_EQ(show(*set.constants[1 - i]), std::vector<std::string>{"null"});
    EXPECT_EQ(show(*set.constants[2]), std::vector<std::string>{std::to_string(i + 1)});
  }
}

TEST(GroupingSets, KeepAKeyEach) {
  const auto found = sets(expansion({{true, true}, {false, false}}, {0, 3}), {0, 1, 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sets[0].node->keys.size(), 2u);
  EXPECT_EQ(found->sets[1].node->keys.size(), 1u);
  EXPECT_EQ(found->sets[1].node->input->input_of(0), 2);
}

TEST(GroupingSets, NameTheOneOfFewestKeysThatHasTheirs) {
  const auto found =
      sets(expansion({{true, false}, {true, true}, {false, true}, {true, false}, {true, true}, {false, false}},
                     {1, 2, 3, 4, 5, 6}),
           {0, 1, 2});
  ASSERT_TRUE(found);
  std::vector<std::optional<size_t>> finer;
  for (const auto& set : found->sets) finer.push_back(set.finer);
  // The last one has the number of the set as its key, a column that others have for a constant.
  EXPECT_EQ(finer, (std::vector<std::optional<size_t>>{{}, {}, 1, 0, 1, {}}));
}

TEST(GroupingSets, AreNotFinerThanThoseOfOtherColumns) {
  auto expand = expansion({{true, true}, {true, false}}, {1, 2});
  expressions::ProgramBuilder builder;
  const std::vector<Slot> outputs = {builder.input(2, kLong, true), builder.literal(make_longs({std::nullopt})),
                                     builder.literal(make_longs({2})), builder.input(2, kLong, true)};
  expand->projections[1] = std::move(builder).finish(outputs);
  const auto found = sets(expand, {0, 1, 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sets[1].finer, std::nullopt);
}

TEST(GroupingSets, AreThereOnlyWhereProjectionsAreToldApartAndKeysDropped) {
  EXPECT_FALSE(sets(expansion({{true, false}, {false, true}}, {1, 1}), {0, 1, 2}));
  EXPECT_FALSE(sets(expansion({{true, false}, {false, true}}, {1, 2}), {0, 1}));
  EXPECT_FALSE(sets(expansion({{true, true}, {true, true}}, {1, 2}), {0, 1, 2}));
  std::vector<int64_t> numbers(17);
  std::iota(numbers.begin(), numbers.end(), 1);
  EXPECT_FALSE(sets(expansion(std::vector(17, std::vector{true, false}), numbers), {0, 1, 2}));
  auto in_order = expansion({{true, false}, {false, true}}, {1, 2});
  in_order->in_row_order = true;
  EXPECT_FALSE(sets(in_order, {0, 1, 2}));
}

TEST(GroupingSets, ArePartOfThePhysicalPlanAndTakenWhereThereIsMemoryForThem) {
  plan::BoundPlan bound;
  bound.root = sums(expansion({{true, false}, {false, true}}, {1, 2}), {0, 1, 2});
  DevicePlacement placement{PlacementOptions{}};
  const Stage stage = make_physical_plan(std::move(bound), nullptr, placement).stages.front();
  ASSERT_NE(stage.grouping_sets, nullptr);
  for (const int64_t limit : {stage.grouping_sets->least_bytes - 1, stage.grouping_sets->least_bytes}) {
    execution::Metrics metrics;
    const execution::Cancellation never;
    execution::OperatorContext ctx;
    ctx.budget = std::make_shared<memory::Budget>("Aggregate", limit);
    ctx.metrics = &metrics;
    ctx.cancellation = &never;
    const auto breaker = make_breaker(stage, ctx, operators::test::spill_target(ctx));
    const bool is_taken = limit == stage.grouping_sets->least_bytes;
    EXPECT_EQ(breaker->name(), is_taken ? "GroupingSets" : "Aggregate");
  }
}

}  // namespace
}  // namespace accelerant::planner
