#pragma once

#include "operators/device_aggregation.h"
#include "operators/device_pipeline.h"
#include "operators/device_source.h"
#include "runtime/pipeline.h"
#include "runtime/stage_pipeline.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::runtime {

/// What a device does of one run of a feed.
struct FeedDevice {
  std::shared_ptr<operators::DevicePipeline> pipeline;
  /// After the source, that rows which come out have passed; nullopt: only those that it does not take in come out.
  std::optional<size_t> num_transforms;
  std::vector<types::DataType> types;  ///< of the columns that come out
};

/// @throws Error Resource naming the reason where a strict query asks for a device, and none runs the stage
void check_refusal(const planner::Stage& stage);

/// Makes what a device does of a stage that ends in groups; nullptr: nothing.
/// @throws Error Resource where a strict query has it and the device was given up
std::shared_ptr<operators::DeviceAggregation> make_device_aggregation(const StageRun& run);
/// Returns likewise what it does of the stage's feed: rows that come out are those that it does not take in.
FeedDevice all_rows(const operators::DeviceGrouping& grouping,
                    std::shared_ptr<operators::DeviceAggregation> aggregation);
/// Makes what a device does of a feed whose rows go on on the host; nullopt: nothing.
/// @throws Error Resource where a strict query has it and the device was given up
std::optional<FeedDevice> make_device_rows(const StageRun& run, const planner::Feed& feed);

/// Makes the source of a feed with a device.
/// @param host what the device's rows have passed, for those that it does not take in
/// @param ctx of the source
std::unique_ptr<operators::Source> make_device_source(const FeedDevice& device, std::unique_ptr<io::Scan> scan,
                                                      operators::HostSteps host, const execution::OperatorContext& ctx);

}  // namespace accelerant::runtime
