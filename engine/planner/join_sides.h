#pragma once

#include "plan/node.h"

#include <cstdint>
#include <unordered_map>

namespace accelerant::planner {

/// The rows that each source reads, by its plan-message index.
using SourceRows = std::unordered_map<int, int64_t>;

/// Returns the plan with each join building the side that is estimated to be smaller.
plan::NodePtr choose_join_sides(const plan::NodePtr& root, const SourceRows& rows);

/// Estimates how many rows a tree gives out.
double estimate_rows(const plan::Node& root, const SourceRows& rows);

}  // namespace accelerant::planner
