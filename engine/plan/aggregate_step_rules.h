#pragma once

#include "plan/relation.h"
#include "plan/step_fields.h"

namespace accelerant::plan {

/// Binds a step that takes in rows to a PartialAggregate.
Relation bind_partial(const PlanMessage& message, const Relation& input, const StepFields& step);
/// Binds a step that merges to a MergeAggregate.
Relation bind_merge(const PlanMessage& message, const Relation& input, const StepFields& step);
/// Binds the last step to a FinalAggregate.
Relation bind_final(const PlanMessage& message, const Relation& input, const StepFields& step);

}  // namespace accelerant::plan
