#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>

namespace accelerant::plan {

/// Keeps the rows for which every output of `program` is true. `output` is the input's.
struct Filter final : NodeOf<Filter, NodeKind::Filter> {
  std::string describe() const override;

  /// Conjuncts in Spark's order, each one boolean output; inputs are positions in the input's columns.
  std::shared_ptr<const expressions::Program> program;
  int num_conjuncts = 0;
  int num_selective = 0;  ///< conjuncts that may drop many rows: all but IS NOT NULL
};

}  // namespace accelerant::plan
