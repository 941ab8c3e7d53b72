#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace accelerant::plan {

struct Generate;
struct PlanMessage;

/// Emits each row once for each element of a collection that is one of its values: explode, posexplode, inline. Other
/// generators are a collection of what they make of a row.
struct Unnest final : NodeOf<Unnest, Role::Transform> {
  /// Binds GenerateExec with any generator but ReplicateRows.
  static Relation bind(const PlanMessage& message, const Generate& generate, const Relation& input);

  const char* name() const override { return "Unnest"; }
  std::string describe() const override;
  std::vector<ColumnMask> columns_read(const ColumnMask&) const override {
    return {inputs_of(*program, inputs.front()->output.size())};
  }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  bool fails_by_itself() const override { return false; }
  /// Of a column that is kept.
  std::vector<ColumnOrigin> origins_of(int column) const override;
  double estimate_rows(Estimates& estimates) const override;
  bool drops_alike(size_t) const override { return true; }
  auto members() const { return std::tie(program, keeps_empty, has_positions, of_members); }

  /// Computes the collection, an array or a map, and then what is kept of a row: the first columns of `output`.
  std::shared_ptr<const expressions::Program> program;
  bool keeps_empty = false;    ///< a row without elements comes out once, with nulls
  bool has_positions = false;  ///< the elements' positions, from 0 on, come before them
  bool of_members = false;     ///< the elements are structs, each of whose members is a column
};

}  // namespace accelerant::plan
