#pragma once

#include "execution/context.h"
#include "operators/operator.h"
#include "planner/stages.h"

#include <optional>

namespace accelerant::planner {

/// Returns what a top-k that ends a stage wants of a feed's scan, once it has seen k rows: none behind them. Follows
/// its first key through filters and projections, but through nothing that may fail of a row, as a row that is dropped
/// fails no more; nothing where it comes from no column of the scan, or from one whose values are not numbers.
/// @param sink the stage's
std::optional<execution::KeyFilter> top_k_filter(const Stage& stage, const Feed& feed, const operators::Sink& sink);

}  // namespace accelerant::planner
