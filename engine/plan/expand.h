#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>
#include <span>
#include <vector>

namespace accelerant::plan {

/// Emits every row once a projection: what grouping sets, several DISTINCT arguments and UNPIVOT are made of.
struct Expand final : NodeOf<Expand, Role::Transform> {
  /// Binds ExpandExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Expand"; }
  std::string describe() const override;
  double estimate_rows(Estimates& estimates) const override;
  std::vector<ColumnMask> columns_read(const ColumnMask&) const override;
  bool fails_by_itself() const override { return false; }
  /// Of a column that every projection takes over.
  std::vector<ColumnOrigin> origins_of(int column) const override;
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  bool drops_alike(size_t) const override { return true; }
  auto members() const { return std::tie(projections, in_row_order); }

  /// Each computes `output`; inputs are positions in the input's columns.
  std::vector<std::shared_ptr<const expressions::Program>> projections;
  /// Rows come as in Spark, all projections of a row together; else a batch's rows come projection by projection, which
  /// is cheaper and will do for most aggregates.
  bool in_row_order = true;
};

}  // namespace accelerant::plan
