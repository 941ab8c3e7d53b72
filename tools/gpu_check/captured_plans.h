#pragma once

#include "groups.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace accelerant::gpu_check {

/// A query as Spark planned it (scripts/capture_plans.py).
struct CapturedPlan {
  const char* name;
  std::span<const uint8_t> message;  ///< see docs/design/plan-message.md
};

/// Returns those that are in this program.
std::span<const CapturedPlan> captured_plans();

/// The first stage of a query, as a device does it.
struct PlannedGrouping {
  Grouping grouping;
  std::vector<std::string> columns;  ///< names of those that the scan reads, as the steps take them
};

/// Plans a message as a query is planned that runs on a device.
/// @throws Error Unsupported with the reason why a device does not do it, or for a message that does not bind
PlannedGrouping plan_grouping(std::span<const uint8_t> message);

}  // namespace accelerant::gpu_check
