#include "planner/join_sides.h"

#include "plan/join.h"

#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

bool is_left_cheaper_to_build(const plan::Join& join, Estimator& estimator) {
  const double left = estimator.rows(*join.inputs[0]);
  const double right = estimator.rows(*join.inputs[1]);
  // Semi and anti joins that build the right side end at a row's first match and leave the left rows as they are.
  return join.gives_out_left_only() ? left * kBuildCost < right : left < right;
}

}  // namespace

NodePtr choose_join_sides(const NodePtr& root, Estimator& estimator) {
  std::vector<NodePtr> inputs;
  for (const NodePtr& input : root->inputs) inputs.push_back(choose_join_sides(input, estimator));
  const bool is_join = root->is<plan::Join>();
  if (!is_join && inputs == root->inputs) return root;
  std::shared_ptr<plan::Node> node = root->clone();
  if (is_join) {
    auto& join = static_cast<plan::Join&>(*node);
    join.builds_left = join.can_build_left() && is_left_cheaper_to_build(root->as<plan::Join>(), estimator);
  }
  node->inputs = std::move(inputs);
  return node;
}

}  // namespace accelerant::planner
