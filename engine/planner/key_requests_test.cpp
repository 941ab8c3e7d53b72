#include "planner/key_requests.h"

#include "plan/aggregate.h"
#include "plan/expand.h"
#include "plan/filter.h"
#include "plan/limit.h"
#include "plan/project.h"
#include "plan/sort.h"
#include "plan/union.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelerant::planner {
namespace {

using plan::JoinType;
using plan::NodePtr;
using test::above;
using test::columns;
using test::join;
using test::kLong;
using test::source;
using Requests = std::vector<KeyRequest>;

/// Returns what is asked of a source in a tree.
Requests requests_of(const NodePtr& root, const NodePtr& source) {
  const KeyRequests all = find_key_requests(std::span(&root, 1));
  const auto found = all.find(source.get());
  return found == all.end() ? Requests() : found->second;
}

/// An aggregate by column `key` of its input; its second column is a count.
std::shared_ptr<plan::Aggregate> grouped(const NodePtr& input, int key) {
  auto node = above<plan::Aggregate>(input);
  node->input = columns({key});
  node->keys = {{"key", kLong}};
  node->calls = {plan::aggregate_call("count", {}, {}, kLong)};
  node->result = columns({0, 1});
  node->output = {{"key", kLong}, {"count", kLong}};
  return node;
}

/// `column + column`, which may overflow.
std::shared_ptr<const expressions::Program> failing() {
  expressions::ProgramBuilder builder;
  const auto column = builder.input(0, kLong, true);
  const auto sum = builder.call("org.apache.spark.sql.catalyst.expressions.Add", {column, column}, kLong,
                                expressions::EvalMode::Ansi, 1);
  const std::vector<expressions::Slot> outputs = {column, column, sum};
  return std::move(builder).finish(outputs);
}

TEST(FindKeyRequests, AsksTheProbeSideOfJoinsThatDropRowsWithoutAMatch) {
  const NodePtr left = source();
  const NodePtr right = source();
  for (const JoinType type : {JoinType::Inner, JoinType::LeftSemi, JoinType::RightOuter}) {
    const auto root = join(left, right, type);
    EXPECT_EQ(requests_of(root, left), (Requests{{root.get(), 0, 0}}));
    EXPECT_EQ(requests_of(root, right), Requests());
  }
  for (const JoinType type : {JoinType::LeftOuter, JoinType::FullOuter, JoinType::LeftAnti, JoinType::NullAwareAnti,
                              JoinType::LeftSingle, JoinType::Existence}) {
    EXPECT_EQ(requests_of(join(left, right, type), left), Requests());
  }
}

TEST(FindKeyRequests, AsksTheRightSideWhereTheLeftOneIsBuilt) {
  const NodePtr left = source();
  const NodePtr right = source();
  for (const JoinType type : {JoinType::Inner, JoinType::LeftOuter, JoinType::LeftSemi, JoinType::LeftAnti}) {
    const auto root = join(left, right, type);
    root->builds_left = true;
    EXPECT_EQ(requests_of(root, right), (Requests{{root.get(), 0, 0}}));
    EXPECT_EQ(requests_of(root, left), Requests());
  }
}

TEST(FindKeyRequests, FollowsColumnsThroughNodesThatPassRowsOn) {
  const NodePtr scan = source();
  auto project = above<plan::Project>(scan);
  project->program = columns({2, 1, 0});
  auto filter = above<plan::Filter>(above<plan::Sort>(project));
  filter->program = columns({1});
  const auto root = join(filter, source());
  EXPECT_EQ(requests_of(root, scan), (Requests{{root.get(), 0, 2}}));
}

TEST(FindKeyRequests, FollowsWhatEveryProjectionOfAnExpandTakesOver) {
  const NodePtr scan = source();
  const auto expand = above<plan::Expand>(scan);
  expand->projections = {columns({0, 1, 2}), columns({0, 2, 1})};
  const auto root = join(expand, source());
  EXPECT_EQ(requests_of(root, scan), (Requests{{root.get(), 0, 0}}));
  root->left_keys = columns({1});
  EXPECT_EQ(requests_of(root, scan), Requests());
}

TEST(FindKeyRequests, FollowsKeysOfGroupsAlone) {
  const NodePtr scan = source();
  auto root = join(grouped(scan, 1), source());
  EXPECT_EQ(requests_of(root, scan), (Requests{{root.get(), 0, 1}}));
  root->left_keys = columns({1});
  EXPECT_EQ(requests_of(root, scan), Requests());
}

TEST(FindKeyRequests, EndsWhereRowsAreChosenOrMayFail) {
  const NodePtr scan = source();
  EXPECT_EQ(requests_of(join(above<plan::Limit>(scan), source()), scan), Requests());
  auto project = above<plan::Project>(scan);
  project->program = failing();
  EXPECT_EQ(requests_of(join(project, source()), scan), Requests());
  auto aggregate = grouped(scan, 0);
  aggregate->calls = {plan::aggregate_call("sum", {0}, {kLong}, kLong)};
  EXPECT_EQ(requests_of(join(aggregate, source()), scan), Requests());
  auto root = join(scan, source());
  root->left_keys = failing();
  EXPECT_EQ(requests_of(root, scan), Requests());
}

TEST(FindKeyRequests, FollowsColumnsToEitherSideOfAJoin) {
  const NodePtr left = source();
  const NodePtr right = source();
  for (const int key : {1, 4}) {
    const auto lower = join(left, right);
    const auto root = join(lower, source());
    root->left_keys = columns({key});
    const KeyRequest of_root{root.get(), 0, key % 3};
    EXPECT_EQ(requests_of(root, left),
              key == 1 ? (Requests{of_root, {lower.get(), 0, 0}}) : (Requests{{lower.get(), 0, 0}}));
    EXPECT_EQ(requests_of(root, right), key == 4 ? Requests{of_root} : Requests());
  }
}

TEST(FindKeyRequests, AsksNoSideOfAnOuterJoinThatIsFilledWithNulls) {
  const NodePtr left = source();
  const NodePtr right = source();
  for (const int key : {1, 4}) {
    const auto root = join(join(left, right, JoinType::LeftOuter), source());
    root->left_keys = columns({key});
    EXPECT_EQ(requests_of(root, left), key == 1 ? (Requests{{root.get(), 0, 1}}) : Requests());
    EXPECT_EQ(requests_of(root, right), Requests());
  }
}

TEST(FindKeyRequests, AsksAllInputsOfAUnion) {
  const NodePtr first = source();
  const NodePtr second = source();
  auto both = above<plan::Union>(first);
  both->inputs.push_back(second);
  const auto root = join(both, source());
  EXPECT_EQ(requests_of(root, first), (Requests{{root.get(), 0, 0}}));
  EXPECT_EQ(requests_of(root, second), (Requests{{root.get(), 0, 0}}));
}

}  // namespace
}  // namespace accelerant::planner
