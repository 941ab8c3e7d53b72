#include "planner/join_sides.h"

#include "plan/aggregate.h"
#include "plan/expand.h"
#include "plan/filter.h"
#include "plan/join.h"
#include "plan/limit.h"
#include "plan/scan.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace accelerant::planner {

using plan::NodeKind;
using plan::NodePtr;

namespace {

/// Share of rows that one conjunct lets pass, when nothing is known of it.
constexpr double kSelectivity = 0.3;

/// Rows passed on weigh less than rows held: a table costs memory and its building, a probe only a look.
constexpr double kBuildCost = 2.0;

double estimate_join(const plan::Join& join, double left, double right) {
  switch (join.type) {
    case plan::JoinType::LeftSemi:
    case plan::JoinType::LeftAnti:
    case plan::JoinType::NullAwareAnti:
      return left / 2;
    case plan::JoinType::Existence:
      return left;
    default:
      // Most joins are along a foreign key: a row of the larger side meets one of the other.
      return join.left_keys ? std::max(left, right) : left * right;
  }
}

bool is_left_cheaper_to_build(const plan::Join& join, const ScanRows& rows) {
  const double left = estimate_rows(*join.inputs[0], rows);
  const double right = estimate_rows(*join.inputs[1], rows);
  // Semi and anti joins that build the right side end at a row's first match and leave the left rows as they are.
  return join.gives_out_left_only() ? left * kBuildCost < right : left < right;
}

}  // namespace

double estimate_rows(const plan::Node& node, const ScanRows& rows) {
  const auto input = [&](size_t i) { return estimate_rows(*node.inputs[i], rows); };
  switch (node.kind) {
    case NodeKind::Scan: {
      const auto found = rows.find(node.plan_node);
      const double all = found == rows.end() ? 0 : static_cast<double>(found->second);
      return all * std::pow(kSelectivity, node.as<plan::Scan>().num_selective);
    }
    case NodeKind::Filter:
      return input(0) * std::pow(kSelectivity, node.as<plan::Filter>().num_selective);
    case NodeKind::Project:
    case NodeKind::Sort:
      return input(0);
    case NodeKind::Expand:
      return input(0) * static_cast<double>(node.as<plan::Expand>().projections.size());
    case NodeKind::Aggregate:
      return node.as<plan::Aggregate>().keys.empty() ? 1 : input(0) / 2;
    case NodeKind::Limit: {
      const int64_t limit = node.as<plan::Limit>().limit;
      return limit == plan::Limit::kAll ? input(0) : std::min(input(0), static_cast<double>(limit));
    }
    case NodeKind::Join:
      return estimate_join(node.as<plan::Join>(), input(0), input(1));
    case NodeKind::ScalarValue:
      return 1;
    case NodeKind::Union: {
      double sum = 0;
      for (size_t i = 0; i < node.inputs.size(); ++i) sum += input(i);
      return sum;
    }
  }
  return 0;
}

NodePtr choose_join_sides(const NodePtr& root, const ScanRows& rows) {
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : root->inputs) inputs.push_back(choose_join_sides(input, rows));
  const bool is_join = root->kind == NodeKind::Join;
  if (!is_join && inputs == root->inputs) return root;
  std::shared_ptr<plan::Node> node = root->clone();
  node->inputs = std::move(inputs);
  if (is_join) {
    auto& join = static_cast<plan::Join&>(*node);
    join.builds_left = join.can_build_left() && is_left_cheaper_to_build(join, rows);
  }
  return node;
}

}  // namespace accelerant::planner
