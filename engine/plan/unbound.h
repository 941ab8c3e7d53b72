#pragma once

#include "plan/node.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::plan {

/// Stands in a plan that is not supported for an operator that could not be bound, so that what is above and below it
/// is judged as well. Nothing is asked of it but its columns and its inputs.
struct Unbound final : NodeOf<Unbound, Role::Transform> {
  /// Makes what takes the place of a node.
  static std::shared_ptr<Unbound> in_place_of(const Node& node) {
    auto unbound = std::make_shared<Unbound>();
    unbound->plan_node = node.plan_node;
    unbound->output = node.output;
    unbound->inputs = node.inputs;
    return unbound;
  }

  const char* name() const override { return "Unbound"; }
  std::string describe() const override { return ""; }
  auto members() const { return std::tuple(); }
  bool fails_by_itself() const override { return true; }
  std::vector<ColumnOrigin> origins_of(int) const override { return {}; }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions>) override {
    return stay_above(std::move(changed));
  }
  bool drops_alike(size_t) const override { return false; }
  bool equals(const Unbound&) const { return false; }
  double estimate_rows(Estimates&) const override { return 1; }
};

/// Says whether an operator at or below a node could not be bound.
inline bool has_unbound(const Node& root) {
  return root.is<Unbound>() ||
         std::ranges::any_of(root.inputs, [](const NodePtr& input) { return has_unbound(*input); });
}

}  // namespace accelerant::plan
