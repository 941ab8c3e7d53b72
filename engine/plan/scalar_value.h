#pragma once

#include "plan/node.h"

namespace accelerant::plan {

/// The one row of its input's one column, or null when there is none: an uncorrelated scalar subquery. Programs take it
/// as the parameter whose number is `plan_node`.
struct ScalarValue final : NodeOf<ScalarValue, NodeKind::ScalarValue> {
  std::string describe() const override { return ""; }

  int expression = -1;  ///< index in the plan message of the subquery expression
};

}  // namespace accelerant::plan
