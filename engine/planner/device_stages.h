#pragma once

#include "operators/device_aggregation.h"
#include "planner/operators.h"
#include "planner/stages.h"

#include <string>
#include <variant>

namespace accelerant::planner {

/// Why a device does not run a stage, in a few words.
struct DeviceRefusal {
  std::string reason;
};

/// Says whether a stage scans, filters, projects and groups, and does nothing else.
bool has_device_shape(const Stage& stage);

/// Returns what a device does of a stage of that shape, or why it does nothing.
/// @param parameters values of scalar subqueries, as far as they are known
std::variant<operators::DeviceGrouping, DeviceRefusal> plan_device_grouping(
    const Stage& stage, std::shared_ptr<const execution::Parameters> parameters);

}  // namespace accelerant::planner
