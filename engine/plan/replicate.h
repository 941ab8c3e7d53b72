#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>
#include <span>
#include <vector>

namespace accelerant::plan {

/// Emits each row a number of times, which is one of its values: what EXCEPT ALL and INTERSECT ALL are made of.
struct Replicate final : NodeOf<Replicate, Role::Transform> {
  /// Binds GenerateExec with the generator ReplicateRows.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Replicate"; }
  std::string describe() const override { return ""; }
  std::vector<ColumnMask> columns_read(const ColumnMask&) const override {
    return {inputs_of(*program, inputs.front()->output.size())};
  }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  bool fails_by_itself() const override { return false; }
  std::vector<ColumnOrigin> origins_of(int column) const override { return origins_in(*program, column + 1); }
  double estimate_rows(Estimates& estimates) const override;
  bool drops_alike(size_t) const override { return true; }
  auto members() const { return std::tie(program); }

  /// Computes the number of times, a bigint, and then `output`. Never fails.
  std::shared_ptr<const expressions::Program> program;
};

}  // namespace accelerant::plan
