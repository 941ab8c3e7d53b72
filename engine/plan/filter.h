#pragma once

#include "expressions/program.h"
#include "expressions/same_program.h"
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
  std::vector<ProgramPtr> programs() const override { return {program}; }
  ColumnPlaces put_above(std::vector<NodePtr> changed, std::span<const ColumnPlaces> places) override;
  bool fails_by_itself() const override { return false; }
  std::vector<ColumnOrigin> origins_of(int column) const override { return {{0, column}}; }
  double estimate_rows(Estimates& estimates) const override;
  bool drops_alike(size_t) const override { return true; }
  bool equals(const Filter& other) const { return expressions::compute_same(program, other.program); }

  /// Conjuncts in Spark's order, each one boolean output; inputs are positions in the input's columns.
  std::shared_ptr<const expressions::Program> program;
  int num_conjuncts = 0;
};

}  // namespace accelerant::plan
