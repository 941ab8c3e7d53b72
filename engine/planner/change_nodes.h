#pragma once

#include "plan/node.h"

#include <cstddef>
#include <memory>
#include <utility>

namespace accelerant::planner {

/// Returns a tree with each node replaced by what `change` makes of it, inputs first. What takes a node's place emits
/// the same columns; what does not change is shared.
plan::NodePtr change_nodes(const plan::NodePtr& root, const auto& change) {
  std::shared_ptr<plan::Node> above;
  for (size_t i = 0; i < root->inputs.size(); ++i) {
    plan::NodePtr input = change_nodes(root->inputs[i], change);
    if (input == root->inputs[i]) continue;
    if (!above) above = root->clone();
    above->inputs[i] = std::move(input);
  }
  return above ? change(plan::NodePtr(std::move(above))) : change(root);
}

}  // namespace accelerant::planner
