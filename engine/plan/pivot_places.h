#pragma once

#include "expressions/program.h"
#include "plan/value.h"

namespace accelerant::plan {

class ExpressionBinder;

/// Binds the place, from 1, that a value has among constants: 0 where it is none of them; null is one like others.
/// @param constants a list in Spark's internal form
/// @param expression that errors carry
/// @throws Error Unsupported for types whose equality differs among Spark's versions, and constants that are equal
expressions::Slot bind_place(ExpressionBinder& binder, expressions::Slot value, const FieldValue& constants,
                             int expression);

}  // namespace accelerant::plan
