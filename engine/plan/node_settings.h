#pragma once

#include "functions/definition.h"

#include <string_view>

namespace accelerant::plan {

struct PlanMessage;

/// Says whether a setting of Spark's counts only for certain nodes: plan nodes that `require_settings` knows, or
/// functions that name it.
bool counts_for_nodes_only(std::string_view name);

/// Fails where a plan node depends on a setting whose value is not the one that the engine honours.
/// @throws Error Unsupported naming the setting and the value that it has to have
void require_settings(const PlanMessage& message, int node);

/// Fails where a setting has not the value under which a function does as Spark does. What Spark's own code computes
/// honours every setting: only what the engine computes is looked at.
/// @throws Error Unsupported, likewise
void require_setting(const PlanMessage& message, const functions::Setting& setting);

}  // namespace accelerant::plan
