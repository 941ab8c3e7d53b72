#include "plan/node.h"

#include "plan/aggregate.h"
#include "plan/expand.h"
#include "plan/join.h"
#include "plan/limit.h"
#include "plan/local_sort.h"
#include "plan/project.h"
#include "plan/range.h"
#include "plan/sort.h"
#include "plan/top_k.h"
#include "plan/union.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

namespace accelerant::plan {
namespace {

template <class T>
NodePtr above(NodePtr input) {
  auto node = std::make_shared<T>();
  node->inputs = {std::move(input)};
  return node;
}

NodePtr groups_of(NodePtr input) {
  auto node = std::make_shared<Aggregate>();
  node->keys.push_back({"key", types::DataType(types::TypeId::Int)});
  node->inputs = {std::move(input)};
  return node;
}

NodePtr first_of(NodePtr input) {
  const types::DataType kLong(types::TypeId::Long);
  auto node = std::make_shared<Aggregate>();
  node->calls.push_back(aggregate_call("first", {0}, {kLong}, kLong));
  node->inputs = {std::move(input)};
  return node;
}

/// A breaker that says nothing of its rows' order.
struct Unknown final : NodeOf<Unknown, Role::Breaker> {
  const char* name() const override { return "Unknown"; }
  std::string describe() const override { return ""; }
  auto members() const { return std::tuple(); }
  std::vector<ColumnOrigin> origins_of(int) const override { return {}; }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions>) override {
    return stay_above(std::move(changed));
  }
  bool fails_by_itself() const override { return false; }
  bool drops_alike(size_t) const override { return false; }
  double estimate_rows(Estimates&) const override { return 1; }
};

TEST(Node, IsSingleWhereRunsMayChooseOtherRows) {
  const NodePtr rows = std::make_shared<Range>();
  EXPECT_EQ(partitioning_of(*groups_of(above<Limit>(rows))), Partitioning::Shared);
  EXPECT_EQ(partitioning_of(*groups_of(above<Sort>(groups_of(rows)))), Partitioning::Shared);
  EXPECT_EQ(partitioning_of(*groups_of(above<Limit>(groups_of(rows)))), Partitioning::Single);
  EXPECT_EQ(partitioning_of(*groups_of(above<TopK>(above<Sort>(groups_of(rows))))), Partitioning::Single);
}

TEST(Node, IsSingleWhereAFunctionChoosesAmongGroups) {
  const NodePtr rows = std::make_shared<Range>();
  EXPECT_EQ(partitioning_of(*groups_of(first_of(groups_of(rows)))), Partitioning::Single);
  EXPECT_EQ(partitioning_of(*groups_of(first_of(rows))), Partitioning::Shared);
}

TEST(Node, TakesABreakerForOneThatChoosesAndVaries) {
  const NodePtr rows = std::make_shared<Range>();
  EXPECT_EQ(partitioning_of(*above<Unknown>(rows)), Partitioning::Shared);
  EXPECT_EQ(partitioning_of(*above<Unknown>(above<Unknown>(rows))), Partitioning::Single);
  EXPECT_EQ(partitioning_of(*groups_of(above<Limit>(above<Unknown>(rows)))), Partitioning::Single);
}

using planner::test::columns;
using planner::test::join;
using planner::test::source;
using Origins = std::vector<ColumnOrigin>;

TEST(Node, SaysWhereColumnsComeFrom) {
  const auto left = source();
  EXPECT_EQ(left->origins_of(0), Origins());
  const auto outer = join(left, source(), JoinType::LeftOuter);
  EXPECT_EQ(outer->origins_of(2), (Origins{{0, 2}}));
  EXPECT_EQ(outer->origins_of(3), (Origins{{1, 0}}));
  EXPECT_TRUE(outer->drops_alike(0));
  EXPECT_FALSE(outer->drops_alike(1));
  const auto project = planner::test::above<Project>(left);
  project->program = columns({2, 0});
  EXPECT_EQ(project->origins_of(0), (Origins{{0, 2}}));
  const auto expand = planner::test::above<Expand>(left);
  expand->projections = {columns({0, 1}), columns({0, 2})};
  EXPECT_EQ(expand->origins_of(0), (Origins{{0, 0}}));
  EXPECT_EQ(expand->origins_of(1), Origins());
  const auto both = std::make_shared<Union>();
  both->inputs = {left, source()};
  EXPECT_EQ(both->origins_of(1), (Origins{{0, 1}, {1, 1}}));
}

TEST(Node, MayDropRowsBelowUnlessItCountsThem) {
  const auto rows = source();
  EXPECT_TRUE(planner::test::above<Sort>(rows)->drops_alike(0));
  EXPECT_FALSE(planner::test::above<Limit>(rows)->drops_alike(0));
  EXPECT_FALSE(planner::test::above<TopK>(rows)->drops_alike(0));
}

TEST(Node, FailsWhereOneOfItsProgramsMay) {
  expressions::ProgramBuilder builder;
  const auto column = builder.input(0, planner::test::kLong, true);
  const auto sum = builder.call("org.apache.spark.sql.catalyst.expressions.Add", {column, column}, planner::test::kLong,
                                expressions::EvalMode::Ansi, 1);
  const auto project = planner::test::above<Project>(source());
  project->program = std::move(builder).finish({&sum, 1});
  EXPECT_TRUE(may_fail(*planner::test::above<Sort>(project)));
  project->program = columns({0});
  EXPECT_FALSE(may_fail(*planner::test::above<Sort>(project)));
  EXPECT_TRUE(join(source(), source(), JoinType::LeftSingle)->can_fail());
}

TEST(Node, TellsThePrograms) {
  LocalSort sort;
  EXPECT_TRUE(sort.programs().empty());
  sort.computed_keys = columns({0});
  EXPECT_EQ(sort.programs(), std::vector{sort.computed_keys});
  Expand expand;
  expand.projections = {columns({0}), columns({1})};
  EXPECT_EQ(expand.programs(), expand.projections);
}

TEST(Node, DoesTheSameAsOneOfLikeMembers) {
  struct NoSources final : SourceComparison {
    bool give_same_rows(const Node&, const Node&) const override { return false; }
  } const sources;
  const auto sort = planner::test::above<Sort>(source());
  const auto other = planner::test::above<Sort>(source());
  EXPECT_TRUE(sort->does_same(*other, sources));
  other->keys = {{0, true, true}};
  EXPECT_FALSE(sort->does_same(*other, sources));
  EXPECT_FALSE(sort->does_same(*planner::test::above<Limit>(source()), sources));
  const auto groups = planner::test::grouped(source(), {0});
  const auto sorted_groups = planner::test::grouped(source(), {0});
  EXPECT_TRUE(groups->has_same_groups(*sorted_groups));
  sorted_groups->spark_sorts = true;
  EXPECT_FALSE(groups->has_same_groups(*sorted_groups));
  EXPECT_FALSE(source()->does_same(*source(), sources));
  EXPECT_TRUE(join(source(), source())->does_same(*join(source(), source()), sources));
  EXPECT_FALSE(join(source(), source())->does_same(*join(source(), source(), JoinType::LeftSemi), sources));
}

}  // namespace
}  // namespace accelerant::plan
