#pragma once

#include "expressions/program.h"
#include "plan/node_fields.h"

namespace accelerant::plan {

class ExpressionBinder;

/// Binds the generator Stack as what it gives for a row: an array of structs, one for each row that it makes.
/// @throws Error Unsupported naming what is missing in its values, or for more than 1,000 rows
expressions::Slot bind_stack(ExpressionBinder& binder, NodeFields& fields);

}  // namespace accelerant::plan
