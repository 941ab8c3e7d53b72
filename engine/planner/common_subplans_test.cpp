#include "planner/common_subplans.h"

#include "plan/aggregate.h"
#include "plan/project.h"
#include "planner/key_requests.h"
#include "planner/physical_plan.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

using plan::NodePtr;
using test::kLong;

/// The greatest of column 1 by column 0; emits chosen ones of [key, greatest].
std::shared_ptr<plan::Aggregate> greatest(const NodePtr& input, const std::vector<int>& given_out) {
  auto node = test::above<plan::Aggregate>(input);
  node->plan_node = 100 + input->plan_node;
  node->input = test::columns({0, 1});
  node->keys = {{"key", kLong}};
  node->calls = {plan::aggregate_call("max", {1}, {kLong}, kLong)};
  node->result = test::columns(given_out);
  node->output.clear();
  for (size_t i = 0; i < given_out.size(); ++i) node->output.push_back({"column", kLong});
  return node;
}

struct World {
  Tables tables;
  NodePtr first = test::scan_of(tables, 1000, {99, 9, 9});
  NodePtr second = test::scan_of(tables, 1000, {99, 9, 9});
  NodePtr other = test::scan_of(tables, 1000, {99, 9, 8});

  NodePtr shared(const NodePtr& root) const {
    plan::BoundPlan plan;
    plan.root = root;
    share_equal_aggregates(plan, tables);
    return plan.root;
  }
};

TEST(ShareEqualAggregates, RunsOneOfTwo) {
  const World world;
  const NodePtr root = world.shared(test::join(greatest(world.first, {0, 1}), greatest(world.second, {1})));
  const NodePtr& left = root->inputs[0]->inputs[0];
  EXPECT_EQ(left, root->inputs[1]->inputs[0]);
  EXPECT_EQ(left->fused, (std::vector<int>{101}));
  EXPECT_EQ(left->inputs[0]->fused, (std::vector<int>{1}));
  EXPECT_EQ(left->output.size(), 2U);
  EXPECT_EQ(root->inputs[0]->as<plan::Project>().program->input_of(1), 1);
  EXPECT_EQ(root->inputs[1]->as<plan::Project>().program->input_of(0), 1);
  const std::vector<Stage> stages = cut_into_stages(root);
  ASSERT_EQ(stages.size(), 3U);
  EXPECT_EQ(stages[0].breaker, left);
  EXPECT_FALSE(stages[1].feeds[0].reads_again && stages[2].feeds[0].reads_again);
  EXPECT_TRUE(stages[1].feeds[0].reads_again || stages[2].feeds[0].reads_again);
}

TEST(ShareEqualAggregates, LeavesAloneWhatDiffers) {
  const World world;
  const auto stays = [&](const NodePtr& a, const NodePtr& b) {
    const NodePtr root = test::join(a, b);
    EXPECT_EQ(world.shared(root), root);
  };
  stays(greatest(world.first, {0, 1}), greatest(world.other, {0, 1}));
  const auto by_another = greatest(world.second, {0, 1});
  by_another->input = test::columns({2, 1});
  stays(greatest(world.first, {0, 1}), by_another);
  const auto of_another = greatest(world.second, {0, 1});
  of_another->calls = {plan::aggregate_call("min", {1}, {kLong}, kLong)};
  stays(greatest(world.first, {0, 1}), of_another);
}

/// What one place drops, the other one may need.
/// Spark asks for a value where one is compared above.
TEST(ShareEqualAggregates, LooksPastQuestionsForNullsWhereThereAreNone) {
  for (const int64_t num_nulls : {0, 1}) {
    Tables tables;
    const auto first = test::scan_of(tables, 1000, {99, 9, 9}, num_nulls);
    const auto second = test::scan_of(tables, 1000, {99, 9, 9}, num_nulls);
    expressions::ProgramBuilder builder;
    const auto has_value =
        builder.call("org.apache.spark.sql.catalyst.expressions.IsNotNull", {builder.input(0, kLong, true)},
                     types::DataType(types::TypeId::Boolean), expressions::EvalMode::Ansi, 1);
    auto spec = std::make_shared<io::ScanSpec>(*second->spec);
    spec->filters.push_back(std::move(builder).finish({&has_value, 1}));
    second->spec = std::move(spec);
    second->output[0].nullable = false;
    plan::BoundPlan plan;
    plan.root = test::join(greatest(first, {0, 1}), greatest(second, {0, 1}));
    share_equal_aggregates(plan, tables);
    EXPECT_EQ(plan.root->inputs[0]->inputs[0] == plan.root->inputs[1]->inputs[0], num_nulls == 0);
  }
}

TEST(ShareEqualAggregates, KeepsKeyFiltersOut) {
  const World world;
  const NodePtr joined = test::join(greatest(world.first, {0, 1}), world.other);
  ASSERT_TRUE(find_key_requests({&joined, 1}).contains(world.first.get()));
  const NodePtr root = world.shared(test::join(joined, greatest(world.second, {0, 1})));
  const NodePtr& aggregate = root->inputs[1]->inputs[0];
  EXPECT_FALSE(find_key_requests({&root, 1}).contains(aggregate->inputs[0].get()));
}

}  // namespace
}  // namespace accelerant::planner
