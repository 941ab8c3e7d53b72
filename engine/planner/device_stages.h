#pragma once

#include "operators/device_aggregation.h"
#include "planner/physical_plan.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace accelerant::planner {

/// Why a device does not run something, in a few words.
struct DeviceRefusal {
  std::string reason;
};

/// Says whether a stage scans, filters, projects and groups, and does nothing else.
bool has_grouping_shape(const Stage& stage);
/// Returns what a device does of a stage of that shape, or why it does nothing. The steps lack parameters: values of
/// scalar subqueries are known when the stage runs.
std::variant<operators::DeviceGrouping, DeviceRefusal> plan_device_grouping(const Stage& stage);

/// What a device does of a feed whose rows go on on the host.
struct DeviceFeed {
  codegen::RowSteps steps;
  size_t num_transforms = 0;           ///< of the feed, from its source on
  std::vector<types::DataType> types;  ///< of the columns that are emitted
};

/// Says whether a feed scans files, and filters or computes something before anything else.
bool has_row_shape(const Feed& feed);
/// Returns what a device does of a feed of that shape: the scan, and of the transforms after it as many as it can. Or
/// why it does nothing. The steps lack parameters.
std::variant<DeviceFeed, DeviceRefusal> plan_device_feed(const Feed& feed);

/// Returns the nodes of a feed that a device runs where these are its scan and the first transforms.
DeviceNodes device_nodes(const Feed& feed, size_t num_transforms);

}  // namespace accelerant::planner
