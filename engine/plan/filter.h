#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>
#include <span>
#include <vector>

namespace accelerant::plan {

/// Keeps the rows for which every output of `program` is true. `output` is the input's.
struct Filter final : NodeOf<Filter, Role::Transform> {
  /// Binds FilterExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Filter"; }
  std::string describe() const override;
  std::vector<ColumnMask> columns_read(const ColumnMask& wanted) const override;
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  bool fails_by_itself() const override { return false; }
  std::vector<ColumnOrigin> origins_of(int column) const override { return {{0, column}}; }
  double estimate_rows(Estimates& estimates) const override;
  bool drops_alike(size_t) const override { return true; }
  auto members() const { return std::tie(program, num_conjuncts); }

  /// Conjuncts in Spark's order, each one boolean output; inputs are positions in the input's columns.
  std::shared_ptr<const expressions::Program> program;
  int num_conjuncts = 0;
};

}  // namespace accelerant::plan
