#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>
#include <vector>

namespace accelerant::plan {

/// Gives out every row once a projection: what grouping sets and several DISTINCT arguments are made of. The rows of a
/// batch come projection by projection.
struct Expand final : NodeOf<Expand, NodeKind::Expand> {
  std::string describe() const override;

  /// Each computes `output`; inputs are positions in the input's columns.
  std::vector<std::shared_ptr<const expressions::Program>> projections;
};

}  // namespace accelerant::plan
