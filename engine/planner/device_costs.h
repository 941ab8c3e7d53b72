#pragma once

#include "device/device_rates.h"
#include "operators/device_aggregation.h"
#include "planner/device_stages.h"
#include "planner/estimates.h"

#include <string>

namespace accelerant::planner {

/// What one thread of the host was measured to do.
struct HostRates {
  double value_seconds = 0;  ///< an instruction of a program, for one value
};

/// Measures the host, in some milliseconds; once a process.
const HostRates& host_rates();

/// What a pipeline has to do from its files to its groups, or to the rows that go on on the host.
struct PipelineWork {
  double row_groups = 0;
  double rows = 0;
  double kept_rows = 0;      ///< that pass the filters
  double num_columns = 0;    ///< that are read
  double stored_bytes = 0;   ///< of those in the files
  double decoded_bytes = 0;  ///< likewise, decoded
  double instructions = 0;   ///< of all programs, a row
  double num_keys = 0;       ///< of groups
  double num_groups = 0;
  double num_calls = 0;   ///< of aggregates
  double num_made = 0;    ///< columns of the rows that go on
  double made_bytes = 0;  ///< of those
};

/// Returns what a stage that ends in groups has to do.
PipelineWork work_of(const Stage& stage, const operators::DeviceGrouping& grouping, const Tables& tables,
                     Estimator& estimator);
/// Returns what the part of a feed has to do that a device would run.
PipelineWork work_of(const Feed& feed, const DeviceFeed& planned, const Tables& tables, Estimator& estimator);

/// How long a pipeline is estimated to take.
struct PlacementCosts {
  double device_seconds = 0;
  double host_seconds = 0;

  bool is_faster_on_device() const { return device_seconds < host_seconds; }
};

/// Estimates both ways to run a pipeline.
/// @param num_threads of the host
PlacementCosts costs_of(const PipelineWork& work, const device::DeviceRates& device, const HostRates& host,
                        int num_threads);

/// Writes a time for people, e.g. "0.8 ms".
std::string show_seconds(double seconds);

}  // namespace accelerant::planner
