#pragma once

#include <string_view>

namespace accelerant::plan {

struct PlanMessage;

/// Says whether a setting of Spark's counts only for certain nodes, which `require_settings` knows.
bool counts_for_nodes_only(std::string_view name);

/// Fails where a node depends on a setting whose value is not the one that the engine honours. What Spark's own code
/// computes honours every setting: only what the engine computes is looked at.
/// @throws Error Unsupported naming the setting and the value that it has to have
void require_settings(const PlanMessage& message, int node);

}  // namespace accelerant::plan
