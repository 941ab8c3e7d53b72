#pragma once

#include "plan/node.h"

namespace accelerant::plan {

/// The rows of all inputs, one input after the other. Every input gives out columns of the types of `output`.
struct Union final : NodeOf<Union, Role::Concatenation> {
  /// Binds UnionExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Union"; }
  std::string describe() const override { return ""; }
  std::vector<ColumnMask> columns_read(const ColumnMask& wanted) const override { return {inputs.size(), wanted}; }
};

}  // namespace accelerant::plan
