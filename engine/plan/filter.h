#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>

namespace accelerant::plan {

/// Keeps the rows for which every output of `program` is true. `output` is the input's.
struct Filter final : NodeOf<Filter, Role::Transform> {
  /// Binds FilterExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Filter"; }
  std::string describe() const override;
  std::vector<ColumnMask> columns_read(const ColumnMask& wanted) const override;

  /// Conjuncts in Spark's order, each one boolean output; inputs are positions in the input's columns.
  std::shared_ptr<const expressions::Program> program;
  int num_conjuncts = 0;
};

}  // namespace accelerant::plan
