#include "plan/node.h"

#include "plan/aggregate.h"
#include "plan/limit.h"
#include "plan/range.h"
#include "plan/sort.h"
#include "plan/top_k.h"

#include <gtest/gtest.h>

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
  std::vector<ProgramPtr> programs() const override { return {}; }
  std::vector<ColumnOrigin> origins_of(int) const override { return {}; }
  bool drops_alike(size_t) const override { return false; }
  bool equals(const Unknown&) const { return true; }
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

}  // namespace
}  // namespace accelerant::plan
