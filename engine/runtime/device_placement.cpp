#include "runtime/device_placement.h"

#include "base/error.h"
#include "operators/aggregate.h"
#include "operators/device_aggregation.h"
#include "operators/device_rows.h"
#include "operators/device_source.h"
#include "operators/scan.h"
#include "runtime/query.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace accelerant::runtime {

using execution::DeviceChoice;
using operators::DevicePipeline;
using planner::DeviceRefusal;

namespace {

bool has_device_shape(const planner::Stage& stage) {
  return planner::has_grouping_shape(stage) || std::ranges::any_of(stage.feeds, planner::has_row_shape);
}

/// Returns the counters of a feed's source, and of the first of its transforms.
operators::DeviceCounters counters_of(const planner::Feed& feed, size_t num_transforms, const PipelineFeed& made) {
  const size_t first = made.counts_source_rows ? 0 : 1;
  const auto counters = [&](const std::vector<size_t>& nodes) {
    std::vector<execution::Metrics*> found;
    for (const size_t node : nodes) {
      found.push_back(node == 0 ? made.source_metrics : made.transforms[first + node - 1].metrics);
    }
    return found;
  };
  const planner::DeviceNodes nodes = planner::device_nodes(feed, num_transforms);
  return {made.source_metrics, counters(nodes.before_filters), counters(nodes.after_filters)};
}

columns::Batch empty_batch(const std::vector<types::DataType>& types, const std::shared_ptr<memory::Budget>& budget) {
  columns::Batch batch;
  for (const types::DataType& type : types) batch.columns.push_back(columns::Column::nulls(type, 0, budget));
  return batch;
}

/// Puts a device before the scan that a feed starts with.
void replace_source(PipelineFeed& made, std::shared_ptr<DevicePipeline> device, operators::HostSteps host,
                    const std::vector<types::DataType>& types, const execution::OperatorContext& ctx) {
  auto scan = static_cast<operators::ScanSource&>(*made.source).take_scan();
  made.source = std::make_unique<operators::DeviceSource>(std::move(scan), std::move(device), std::move(host),
                                                          empty_batch(types, ctx.budget), ctx.batch_rows);
}

/// Puts a device before a pipeline that ends in groups.
void place_grouping(const std::shared_ptr<codegen::Accelerator>& device, const planner::Feed& feed,
                    const operators::DeviceGrouping& grouping, bool is_strict, const execution::OperatorContext& ctx,
                    Pipeline& pipeline) {
  PipelineFeed& made = pipeline.feeds.front();
  std::vector<types::DataType> types;
  for (const codegen::InputColumn& column : grouping.steps.inputs) types.push_back(column.type);
  auto aggregation = std::make_shared<operators::DeviceAggregation>(
      device, grouping, counters_of(feed, feed.transforms.size(), made), is_strict, ctx);
  static_cast<operators::AggregateSink&>(*pipeline.sink).join(aggregation);
  replace_source(made, std::move(aggregation), {}, types, ctx);
}

}  // namespace

void DevicePlacement::place(const Query& query, const planner::Stage& stage, const planner::Results& results,
                            const execution::Cancellation& cancellation, Pipeline& pipeline) {
  if (!asks_for_device() || !has_device_shape(stage)) return;
  std::string reason;
  const auto device = accelerator(reason);
  if (!device) return refuse(reason);
  const auto context = [&](const plan::NodePtr& node) {
    return query.context(*node, cancellation, results.parameters);
  };
  if (planner::has_grouping_shape(stage)) {
    const auto planned = planner::plan_device_grouping(stage, results.parameters);
    if (const auto* grouping = std::get_if<operators::DeviceGrouping>(&planned)) {
      return place_grouping(device, stage.feeds.front(), *grouping, is_strict_, context(stage.breaker), pipeline);
    }
    refuse(std::get<DeviceRefusal>(planned).reason);
  }
  for (size_t i = 0; i < stage.feeds.size(); ++i) {
    const planner::Feed& feed = stage.feeds[i];
    if (planner::has_row_shape(feed)) place_feed(device, feed, context(feed.source), pipeline.feeds[i]);
  }
}

void DevicePlacement::place_feed(const std::shared_ptr<codegen::Accelerator>& device, const planner::Feed& feed,
                                 const execution::OperatorContext& ctx, PipelineFeed& made) const {
  auto planned = planner::plan_device_feed(feed, ctx.parameters);
  if (const auto* refusal = std::get_if<DeviceRefusal>(&planned)) return refuse(refusal->reason);
  auto& [steps, num_transforms, types] = std::get<planner::DeviceFeed>(planned);
  auto rows = std::make_shared<operators::DeviceRows>(device, std::move(steps), counters_of(feed, num_transforms, made),
                                                      is_strict_, ctx);
  // The host's share of the transforms goes before those that follow.
  const size_t num_first = num_transforms + (made.counts_source_rows ? 0 : 1);
  const auto end = made.transforms.begin() + static_cast<ptrdiff_t>(num_first);
  operators::HostSteps host{made.counts_source_rows ? made.source_metrics : nullptr, {}};
  host.transforms.assign(std::make_move_iterator(made.transforms.begin()), std::make_move_iterator(end));
  made.transforms.erase(made.transforms.begin(), end);
  made.counts_source_rows = false;
  replace_source(made, std::move(rows), std::move(host), types, ctx);
}

std::vector<PlacementNote> DevicePlacement::describe(const planner::Stage& stage) {
  if (!asks_for_device() || !has_device_shape(stage)) return {};
  std::string missing;
  const auto device = accelerator(missing);
  const auto note = [&](const plan::NodePtr& node, const std::string& refusal) {
    const std::string& reason = device ? refusal : missing;
    return PlacementNote{node.get(), reason.empty() ? "on a device: " + device->name() : "on the host: " + reason};
  };
  std::vector<PlacementNote> notes;
  if (planner::has_grouping_shape(stage)) {
    const auto planned = planner::plan_device_grouping(stage, nullptr);
    const auto* refusal = std::get_if<DeviceRefusal>(&planned);
    notes.push_back(note(stage.breaker, refusal ? refusal->reason : ""));
    if (!refusal || !device) return notes;
  }
  for (const planner::Feed& feed : stage.feeds) {
    if (!planner::has_row_shape(feed)) continue;
    const auto planned = planner::plan_device_feed(feed, nullptr);
    const auto* refusal = std::get_if<DeviceRefusal>(&planned);
    const size_t last = refusal ? 0 : std::get<planner::DeviceFeed>(planned).num_transforms;
    notes.push_back(note(last == 0 ? feed.source : feed.transforms[last - 1], refusal ? refusal->reason : ""));
  }
  return notes;
}

void DevicePlacement::refuse(const std::string& reason) const {
  if (!is_strict_) return;
  throw Error(ErrorKind::Resource, "spark.accelerant.strict: no device runs it: " + reason);
}

std::shared_ptr<codegen::Accelerator> DevicePlacement::accelerator(std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (!accelerator_) {
    auto opened = choice_ == DeviceChoice::Emulator ? codegen::open_emulator() : codegen::open_gpu();
    if (const auto* unavailable = std::get_if<codegen::Unavailable>(&opened)) {
      reason = unavailable->reason;
      return nullptr;
    }
    accelerator_ = std::get<std::shared_ptr<codegen::Accelerator>>(std::move(opened));
  }
  const auto failure = accelerator_->failure();
  if (failure) reason = "it was given up: " + *failure;
  return failure ? nullptr : accelerator_;
}

}  // namespace accelerant::runtime
