#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <vector>

namespace accelerant::plan {

/// Returns a value under the type of a column, with elements that may be null where those of the value may.
/// @throws Error Unsupported where the column is of other values
expressions::Slot retyped(expressions::ProgramBuilder& builder, expressions::Slot value, const OutputColumn& column);

/// Returns a node whose columns have the types of others, which have the same values: itself, or a projection of it.
/// @param plan_node of the projection
NodePtr retyped(const NodePtr& input, const std::vector<OutputColumn>& columns, int plan_node);

}  // namespace accelerant::plan
