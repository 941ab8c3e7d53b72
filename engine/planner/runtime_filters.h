#pragma once

#include "expressions/program.h"
#include "planner/operators.h"
#include "planner/stages.h"

#include <memory>
#include <vector>

namespace accelerant::planner {

/// Returns what the joins that a feed's rows pass ask of the feed's source: conditions on the columns that it gives
/// out, which rows that come through fulfil. Only of a scan's partition columns, by which it can leave out whole files,
/// and of build sides that are small.
/// @param results holds the tables of the feed's joins
std::vector<std::shared_ptr<const expressions::Program>> runtime_filters(const Feed& feed, const Results& results,
                                                                         const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::planner
