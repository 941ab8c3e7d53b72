#include "planner/join_sides.h"

#include "plan/join.h"

#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

/// Rows passed on weigh less than rows held: a table costs memory and its building, a probe only a look.
constexpr double kBuildCost = 2.0;

bool is_left_cheaper_to_build(const plan::Join& join, const SourceRows& rows) {
  const double left = estimate_rows(*join.inputs[0], rows);
  const double right = estimate_rows(*join.inputs[1], rows);
  // Semi and anti joins that build the right side end at a row's first match and leave the left rows as they are.
  return join.gives_out_left_only() ? left * kBuildCost < right : left < right;
}

}  // namespace

double estimate_rows(const plan::Node& root, const SourceRows& rows) {
  std::vector<double> inputs;
  if (root.role == plan::Role::Source) {
    const auto found = rows.find(root.plan_node);
    inputs.push_back(found == rows.end() ? 0 : static_cast<double>(found->second));
  }
  for (const NodePtr& input : root.inputs) inputs.push_back(estimate_rows(*input, rows));
  return root.estimate_rows(inputs);
}

NodePtr choose_join_sides(const NodePtr& root, const SourceRows& rows) {
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : root->inputs) inputs.push_back(choose_join_sides(input, rows));
  const bool is_join = root->is<plan::Join>();
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
