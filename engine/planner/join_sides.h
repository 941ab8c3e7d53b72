#pragma once

#include "plan/node.h"

#include <cstdint>
#include <unordered_map>

namespace accelerant::planner {

/// The rows of the files of each scan, by the scan's plan-message index.
using ScanRows = std::unordered_map<int, int64_t>;

/// Returns the plan with each join building the side that is estimated to be smaller.
plan::NodePtr choose_join_sides(const plan::NodePtr& root, const ScanRows& rows);

/// Estimates how many rows a node gives out.
double estimate_rows(const plan::Node& node, const ScanRows& rows);

}  // namespace accelerant::planner
