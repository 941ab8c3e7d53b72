#pragma once

#include "plan/node.h"

#include <span>
#include <utility>
#include <vector>

namespace accelerant::plan {

/// The rows of all inputs, one input after the other. Every input emits columns of the types of `output`.
struct Union final : NodeOf<Union, Role::Concatenation> {
  /// Binds UnionExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Union"; }
  std::string describe() const override { return ""; }
  std::vector<ColumnMask> columns_read(const ColumnMask& wanted) const override { return {inputs.size(), wanted}; }
  bool fails_by_itself() const override { return false; }
  std::vector<ColumnOrigin> origins_of(int column) const override {
    std::vector<ColumnOrigin> origins;
    for (size_t input = 0; input < inputs.size(); ++input) origins.push_back({input, column});
    return origins;
  }
  /// Its inputs' columns stay where they are.
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions>) override {
    return stay_above(std::move(changed));
  }
  double estimate_rows(Estimates& estimates) const override;
  bool drops_alike(size_t) const override { return true; }
  auto members() const { return std::tuple(); }
};

}  // namespace accelerant::plan
