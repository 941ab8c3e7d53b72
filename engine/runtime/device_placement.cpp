#include "runtime/device_placement.h"

#include "base/error.h"
#include "operators/aggregate.h"
#include "operators/device_aggregation.h"
#include "operators/device_source.h"
#include "operators/scan.h"

#include <utility>
#include <variant>

namespace accelerant::runtime {

using execution::DeviceChoice;

void DevicePlacement::place(const planner::Stage& stage, const std::shared_ptr<operators::Breaker>& breaker,
                            const execution::OperatorContext& ctx, Pipeline& pipeline) {
  if (!asks_for_device() || !planner::has_device_shape(stage)) return;
  std::string reason;
  const auto device = accelerator(reason);
  if (!device) return refuse(reason);
  auto planned = planner::plan_device_grouping(stage, ctx.parameters);
  if (const auto* refusal = std::get_if<planner::DeviceRefusal>(&planned)) return refuse(refusal->reason);
  auto& grouping = std::get<operators::DeviceGrouping>(planned);
  grouping.is_strict = is_strict_;
  std::vector<types::DataType> column_types;
  for (const codegen::InputColumn& column : grouping.steps.inputs) column_types.push_back(column.type);
  auto aggregation = std::make_shared<operators::DeviceAggregation>(device, std::move(grouping), ctx);
  static_cast<operators::AggregateSink&>(*breaker).join(aggregation);
  std::unique_ptr<operators::Source>& source = pipeline.feeds.front().source;
  auto scan = static_cast<operators::ScanSource&>(*source).take_scan();
  source =
      std::make_unique<operators::DeviceSource>(std::move(scan), std::move(column_types), std::move(aggregation), ctx);
}

std::optional<std::string> DevicePlacement::describe(const planner::Stage& stage) {
  if (!asks_for_device() || !planner::has_device_shape(stage)) return std::nullopt;
  std::string reason;
  const auto device = accelerator(reason);
  if (device) {
    const auto planned = planner::plan_device_grouping(stage, nullptr);
    if (const auto* refusal = std::get_if<planner::DeviceRefusal>(&planned)) reason = refusal->reason;
  }
  return reason.empty() ? "on a device: " + device->name() : "on the host: " + reason;
}

void DevicePlacement::refuse(const std::string& reason) const {
  if (!is_strict_) return;
  throw Error(ErrorKind::Resource, "spark.accelerant.strict: no device runs it: " + reason);
}

std::shared_ptr<codegen::Accelerator> DevicePlacement::accelerator(std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (accelerator_) return accelerator_;
  auto opened = choice_ == DeviceChoice::Emulator ? codegen::open_emulator() : codegen::open_gpu();
  if (const auto* unavailable = std::get_if<codegen::Unavailable>(&opened)) {
    reason = unavailable->reason;
    return nullptr;
  }
  accelerator_ = std::get<std::shared_ptr<codegen::Accelerator>>(std::move(opened));
  return accelerator_;
}

}  // namespace accelerant::runtime
