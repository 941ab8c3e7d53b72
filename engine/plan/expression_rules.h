#pragma once

#include "expressions/program.h"

#include <span>

namespace accelerant::plan {

class ExpressionBinder;
struct PlanMessage;

/// Binds one expression whose children are bound, by its class: those with rules of their own, else as a call of the
/// function that is registered for the class.
/// @param children the expressions it refers to, in the order of its fields; operands of a flattened AND or OR
/// @throws Error Unsupported naming the class or field that the engine does not know
expressions::Slot apply_rule(ExpressionBinder& binder, int expression, std::span<const int> children);

/// Throws Error{Unsupported} unless there is a rule or a function for the expression's class.
void require_known_class(const PlanMessage& message, int expression);

}  // namespace accelerant::plan
