#include "planner/common_subplans.h"

#include "plan/aggregate.h"
#include "plan/project.h"
#include "plan/window.h"
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
    share_equal_subplans(plan, tables);
    return plan.root;
  }
};

TEST(ShareEqualSubplans, RunsOneOfTwo) {
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

TEST(ShareEqualSubplans, LeavesAloneWhatDiffers) {
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
TEST(ShareEqualSubplans, LooksPastQuestionsForNullsWhereThereAreNone) {
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
    share_equal_subplans(plan, tables);
    EXPECT_EQ(plan.root->inputs[0]->inputs[0] == plan.root->inputs[1]->inputs[0], num_nulls == 0);
  }
}

/// Ranks rows by their columns; partitions are those of equal values of the first.
std::shared_ptr<plan::Window> ranked(const NodePtr& input) {
  auto node = test::above<plan::Window>(input);
  node->plan_node = 200 + input->plan_node;
  node->keys = {{.column = 0}, {.column = 1}};
  node->num_partition_keys = 1;
  plan::WindowCall rank;
  rank.kind = plan::WindowKind::Rank;
  rank.num_keys = 2;
  rank.result_type = types::DataType(types::TypeId::Int);
  node->calls = {rank};
  node->output.push_back({"rank", rank.result_type});
  return node;
}

TEST(ShareEqualSubplans, RunsOneOfTwoWindowsAndOfWhatTheyHaveBelow) {
  World world;
  const NodePtr third = test::scan_of(world.tables, 1000, {99, 9, 9});
  const NodePtr windows = test::join(ranked(greatest(world.first, {0, 1})), ranked(greatest(world.second, {0, 1})));
  const NodePtr root = world.shared(test::join(windows, greatest(third, {0, 1})));
  const NodePtr& window = root->inputs[0]->inputs[0];
  EXPECT_EQ(window, root->inputs[0]->inputs[1]);
  EXPECT_EQ(window->fused, (std::vector<int>{301}));
  const NodePtr& aggregate = window->inputs[0]->inputs[0];
  ASSERT_TRUE(aggregate->is<plan::Aggregate>());
  EXPECT_EQ(aggregate, root->inputs[1]->inputs[0]);
  // Once for the other window's, and for that beside them.
  EXPECT_EQ(aggregate->fused, (std::vector<int>{101, 103}));
  EXPECT_EQ(aggregate->inputs[0]->fused, (std::vector<int>{1, 3}));
  const std::vector<Stage> stages = cut_into_stages(root);
  EXPECT_EQ(std::ranges::count(stages, window, &Stage::breaker), 1);
  EXPECT_EQ(std::ranges::count(stages, aggregate, &Stage::breaker), 1);
}

TEST(ShareEqualSubplans, LeavesWindowsAloneThatDiffer) {
  const World world;
  const auto stays = [&](const NodePtr& a, const NodePtr& b) {
    const NodePtr root = test::join(a, b);
    EXPECT_EQ(world.shared(root), root);
  };
  stays(ranked(world.first), ranked(world.other));
  const auto by_row = ranked(world.second);
  by_row->calls.front().kind = plan::WindowKind::RowNumber;
  stays(ranked(world.first), by_row);
}

/// Chooses two columns of the rows of a join.
NodePtr chosen_of_join(const NodePtr& left, const NodePtr& right) {
  return test::choice(test::join(left, right), {0, 2});
}

/// A join of a type with rows below that are joined, both of whose columns it asks for.
std::shared_ptr<plan::Join> asking(const NodePtr& left, const NodePtr& right,
                                   plan::JoinType type = plan::JoinType::LeftSemi) {
  const auto join = test::join(left, right, type);
  join->left_keys = join->right_keys = test::columns({0, 1});
  return join;
}

TEST(ShareEqualSubplans, MakesRowsThatSeveralJoinsAskForDistinct) {
  World world;
  const NodePtr fourth = test::scan_of(world.tables, 1000, {99, 9, 8});
  for (const auto type : {plan::JoinType::LeftSemi, plan::JoinType::LeftAnti, plan::JoinType::NullAwareAnti}) {
    const NodePtr first = asking(world.first, chosen_of_join(world.second, world.other), type);
    const NodePtr second = asking(world.first, chosen_of_join(world.second, fourth));
    const NodePtr root = world.shared(test::join(first, second));
    const NodePtr& rows = root->inputs[0]->inputs[1]->inputs[0];
    EXPECT_EQ(rows, root->inputs[1]->inputs[1]->inputs[0]);
    ASSERT_TRUE(rows->is<plan::Aggregate>());
    EXPECT_EQ(rows->as<plan::Aggregate>().keys.size(), 2U);
    EXPECT_TRUE(rows->as<plan::Aggregate>().calls.empty());
    EXPECT_TRUE(rows->inputs[0]->is<plan::Project>());
  }
}

TEST(ShareEqualSubplans, LeavesRowsAloneOfWhichRepeatedOnesCount) {
  const World world;
  const auto stays = [&](const NodePtr& a, const NodePtr& b) {
    const NodePtr root = test::join(a, b);
    EXPECT_EQ(world.shared(root), root);
  };
  const auto rows = [&] { return chosen_of_join(world.first, world.other); };
  stays(asking(world.first, rows(), plan::JoinType::Inner), asking(world.first, rows(), plan::JoinType::LeftOuter));
  stays(asking(world.first, rows()), asking(world.first, chosen_of_join(world.first, world.first)));
  stays(asking(world.first, world.second), asking(world.first, world.second));
  const auto of_one_column = asking(world.first, rows());
  of_one_column->right_keys = of_one_column->left_keys = test::columns({0});
  stays(asking(world.first, rows()), of_one_column);
  const auto is_streamed = asking(world.first, rows());
  is_streamed->spark_builds_left = true;
  stays(asking(world.first, rows()), is_streamed);
  const auto computing = [&] {
    const NodePtr joined = test::join(world.first, world.other);
    expressions::ProgramBuilder builder;
    const auto one = builder.input(0, kLong, true);
    const auto sum = builder.call("org.apache.spark.sql.catalyst.expressions.Add", {one, one}, kLong,
                                  expressions::EvalMode::Ansi, 1);
    const NodePtr node = test::choice(joined, {0, 2});
    const auto project = std::static_pointer_cast<plan::Project>(node->clone());
    project->program = std::move(builder).finish(std::vector{sum, one});
    return asking(world.first, project);
  };
  stays(computing(), computing());
  const auto of_doubles = [&] {
    const std::shared_ptr<plan::Node> node = rows()->clone();
    node->output[1].type = types::DataType(types::TypeId::Double);
    return asking(world.first, node);
  };
  stays(of_doubles(), of_doubles());
}

TEST(ShareEqualSubplans, MakesOnlyColumnsDistinctThatAreRead) {
  const World world;
  const auto of_one_column = [&] {
    const auto join = asking(world.first, chosen_of_join(world.second, world.other));
    join->left_keys = join->right_keys = test::columns({1});
    return join;
  };
  const NodePtr root = world.shared(test::join(of_one_column(), of_one_column()));
  const NodePtr& rows = root->inputs[0]->inputs[1]->inputs[0];
  EXPECT_EQ(rows, root->inputs[1]->inputs[1]->inputs[0]);
  const auto& distinct = rows->as<plan::Aggregate>();
  ASSERT_EQ(distinct.keys.size(), 1U);
  EXPECT_EQ(distinct.input->input_of(0), 1);
  EXPECT_NE(distinct.result->constant_of(0), nullptr);
  EXPECT_EQ(distinct.result->input_of(1), 0);
}

TEST(ShareEqualSubplans, CountsSidesHalfWhoseKeysMayBeFew) {
  const World world;
  const auto joined = [&](int num_sides) {
    NodePtr all = world.first;
    for (int i = 0; i < num_sides; ++i) {
      const auto side = asking(world.first, chosen_of_join(world.second, world.other));
      side->builds_left = true;
      all = test::join(all, side);
    }
    return all;
  };
  const NodePtr of_two = joined(2);
  EXPECT_EQ(world.shared(of_two), of_two);
  const NodePtr of_three = joined(3);
  EXPECT_NE(world.shared(of_three), of_three);
}

TEST(ShareEqualSubplans, KeepsKeyFiltersOut) {
  const World world;
  const NodePtr joined = test::join(greatest(world.first, {0, 1}), world.other);
  ASSERT_TRUE(find_key_requests({&joined, 1}).contains(world.first.get()));
  const NodePtr root = world.shared(test::join(joined, greatest(world.second, {0, 1})));
  const NodePtr& aggregate = root->inputs[1]->inputs[0];
  EXPECT_FALSE(find_key_requests({&root, 1}).contains(aggregate->inputs[0].get()));
}

}  // namespace
}  // namespace accelerant::planner
