#pragma once

#include "execution/context.h"
#include "operators/operator.h"
#include "operators/stage_results.h"
#include "planner/physical_plan.h"

namespace accelerant::runtime {

/// Gives a feed's source what it may leave out by what earlier stages made, and by what the sink has taken in.
/// @param ctx of the source
void add_filters(const planner::Feed& feed, const operators::StageResults& results, const operators::Sink& sink,
                 execution::OperatorContext& ctx);

}  // namespace accelerant::runtime
