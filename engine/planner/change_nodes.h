#pragma once

#include "plan/node.h"

#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

/// Returns a tree with each node replaced by what `change` makes of it, inputs first. What takes a node's place emits
/// the same columns; what does not change is shared.
plan::NodePtr change_nodes(const plan::NodePtr& root, const auto& change) {
  std::vector<plan::NodePtr> inputs;
  for (const plan::NodePtr& input : root->inputs) inputs.push_back(change_nodes(input, change));
  if (inputs == root->inputs) return change(root);
  std::shared_ptr<plan::Node> above = root->clone();
  above->inputs = std::move(inputs);
  return change(plan::NodePtr(std::move(above)));
}

}  // namespace accelerant::planner
