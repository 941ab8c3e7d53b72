#pragma once

#include "expressions/program.h"
#include "plan/generate_rules.h"
#include "plan/node_fields.h"

#include <optional>

namespace accelerant::plan {

class ExpressionBinder;

/// Binds the generator Stack as an Expand: each row that it makes of one is a projection.
/// @return nothing for many rows, and where a value may fail: Spark computes all values before it makes a row
/// @throws Error Unsupported naming what is missing in its values, or for more than 1,000 rows
std::optional<Relation> expand_stack(const PlanMessage& message, const Generate& generate, const Relation& input);

/// Binds the generator Stack as what it gives for a row: an array of structs, one for each row that it makes.
/// @throws Error Unsupported likewise
expressions::Slot bind_stack(ExpressionBinder& binder, NodeFields& fields);

}  // namespace accelerant::plan
