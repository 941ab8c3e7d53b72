#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>

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

  std::shared_ptr<const expressions::Program> program;
};

}  // namespace accelerant::plan
