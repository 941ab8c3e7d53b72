#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>
#include <span>
#include <vector>

namespace accelerant::plan {

/// Computes new columns, one an output of `program`; inputs are positions in the input's columns.
struct Project final : NodeOf<Project, Role::Transform> {
  /// Binds ProjectExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Project"; }
  std::string describe() const override;
  std::vector<ColumnMask> columns_read(const ColumnMask&) const override {
    return {inputs_of(*program, inputs.front()->output.size())};
  }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  bool fails_by_itself() const override { return false; }
  std::vector<ColumnOrigin> origins_of(int column) const override { return origins_in(*program, column); }
  double estimate_rows(Estimates& estimates) const override;
  bool drops_alike(size_t) const override { return true; }
  /// Says whether it computes nothing, but gives columns of its input, in whatever order.
  bool only_chooses() const;
  auto members() const { return std::tie(program); }

  std::shared_ptr<const expressions::Program> program;
};

}  // namespace accelerant::plan
