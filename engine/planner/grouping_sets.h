#pragma once

#include "operators/grouping_sets.h"
#include "plan/aggregate.h"

#include <optional>

namespace accelerant::planner {

/// Returns the parts into which an aggregate may be taken, as the rows of each projection of an expansion below it have
/// groups of their own, with fewer keys; nullopt where that does not pay, or there is none.
std::optional<operators::GroupingSets> grouping_sets(const plan::Aggregate& aggregate);

}  // namespace accelerant::planner
