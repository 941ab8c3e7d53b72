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

std::string on_host(const std::string& reason) { return "on the host: " + reason; }

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

DevicePlacement::DevicePlacement(const RunOptions& options)
    : DevicePlacement(options, options.device == DeviceChoice::Emulator ? codegen::open_emulator : codegen::open_gpu) {}

DevicePlacement::DevicePlacement(const RunOptions& options, Opener opener)
    : choice_(options.device),
      is_strict_(options.strict && options.device != DeviceChoice::Auto),
      num_threads_(options.num_drivers()),
      open_(std::move(opener)) {}

bool DevicePlacement::is_wanted() { return choice_ != DeviceChoice::Cpu && (is_forced() || find().device != nullptr); }

void DevicePlacement::place(const Query& query, const planner::Stage& stage, const planner::Results& results,
                            const execution::Cancellation& cancellation, Pipeline& pipeline) {
  if (choice_ == DeviceChoice::Cpu || !has_device_shape(stage)) return;
  const Found found = find();
  if (!found.device) return refuse(found.reason);
  const auto context = [&](const plan::NodePtr& node) {
    return query.context(*node, cancellation, results.parameters);
  };
  if (planner::has_grouping_shape(stage)) {
    const auto planned = planner::plan_device_grouping(stage, results.parameters);
    if (const auto* grouping = std::get_if<operators::DeviceGrouping>(&planned)) {
      if (!choose_for(found, stage, *grouping, &query.tables()).is_device) return;
      return place_grouping(found.device, stage.feeds.front(), *grouping, is_strict_, context(stage.breaker), pipeline);
    }
    refuse(std::get<DeviceRefusal>(planned).reason);
  }
  for (size_t i = 0; i < stage.feeds.size(); ++i) {
    const planner::Feed& feed = stage.feeds[i];
    if (!planner::has_row_shape(feed)) continue;
    place_feed(found, feed, query.tables(), context(feed.source), pipeline.feeds[i]);
  }
}

void DevicePlacement::place_feed(const Found& found, const planner::Feed& feed, const planner::Tables& tables,
                                 const execution::OperatorContext& ctx, PipelineFeed& made) const {
  auto result = planner::plan_device_feed(feed, ctx.parameters);
  if (const auto* refusal = std::get_if<DeviceRefusal>(&result)) return refuse(refusal->reason);
  const auto& planned = std::get<planner::DeviceFeed>(result);
  if (!choose_for(found, feed, planned, &tables).is_device) return;
  auto rows = std::make_shared<operators::DeviceRows>(found.device, planned.steps,
                                                      counters_of(feed, planned.num_transforms, made), is_strict_, ctx);
  // The host's share of the transforms goes before those that follow.
  const size_t num_first = planned.num_transforms + (made.counts_source_rows ? 0 : 1);
  const auto end = made.transforms.begin() + static_cast<ptrdiff_t>(num_first);
  operators::HostSteps host{made.counts_source_rows ? made.source_metrics : nullptr, {}};
  host.transforms.assign(std::make_move_iterator(made.transforms.begin()), std::make_move_iterator(end));
  made.transforms.erase(made.transforms.begin(), end);
  made.counts_source_rows = false;
  replace_source(made, std::move(rows), std::move(host), planned.types, ctx);
}

std::vector<PlacementNote> DevicePlacement::describe(const planner::Stage& stage, const planner::Tables* tables) {
  if (!is_wanted() || !has_device_shape(stage)) return {};
  const Found found = find();
  std::vector<PlacementNote> notes;
  if (planner::has_grouping_shape(stage)) {
    const auto planned = planner::plan_device_grouping(stage, nullptr);
    const auto* refusal = std::get_if<DeviceRefusal>(&planned);
    const Choice choice = refusal ? Choice{false, on_host(found.device ? refusal->reason : found.reason)}
                                  : choose_for(found, stage, std::get<operators::DeviceGrouping>(planned), tables);
    notes.push_back({stage.breaker->plan_node, choice.text});
    if (!refusal || !found.device) return notes;
  }
  for (const planner::Feed& feed : stage.feeds) {
    if (planner::has_row_shape(feed)) notes.push_back(describe_feed(found, feed, tables));
  }
  return notes;
}

PlacementNote DevicePlacement::describe_feed(const Found& found, const planner::Feed& feed,
                                             const planner::Tables* tables) const {
  const auto result = planner::plan_device_feed(feed, nullptr);
  if (const auto* refusal = std::get_if<DeviceRefusal>(&result)) {
    return {feed.source->plan_node, on_host(found.device ? refusal->reason : found.reason)};
  }
  const auto& planned = std::get<planner::DeviceFeed>(result);
  const plan::Node& last = planned.num_transforms == 0 ? *feed.source : *feed.transforms[planned.num_transforms - 1];
  return {last.plan_node, choose_for(found, feed, planned, tables).text};
}

template <class Pipeline, class Planned>
DevicePlacement::Choice DevicePlacement::choose_for(const Found& found, const Pipeline& pipeline,
                                                    const Planned& planned, const planner::Tables* tables) const {
  if (!found.device) return {false, on_host(found.reason)};
  if (!tables) return {true, "on a device: " + found.device->name()};
  planner::Estimator estimator(*tables);
  return choose(*found.device, planner::work_of(pipeline, planned, *tables, estimator));
}

DevicePlacement::Choice DevicePlacement::choose(codegen::Accelerator& device, const planner::PipelineWork& work) const {
  const planner::PlacementCosts costs = planner::costs_of(work, device.rates(), planner::host_rates(), num_threads_);
  const std::string there = planner::show_seconds(costs.device_seconds);
  const std::string here = planner::show_seconds(costs.host_seconds);
  if (is_forced() || costs.is_faster_on_device()) {
    return {true, "on a device: " + device.name() + ", " + there + " there, " + here + " on the host"};
  }
  return {false, on_host(here + ", " + there + " on " + device.name())};
}

void DevicePlacement::refuse(const std::string& reason) const {
  if (!is_strict_) return;
  throw Error(ErrorKind::Resource, "spark.accelerant.strict: no device runs it: " + reason);
}

DevicePlacement::Found DevicePlacement::find() {
  const std::lock_guard lock(mutex_);
  if (!accelerator_) {
    auto opened = open_();
    if (const auto* unavailable = std::get_if<codegen::Unavailable>(&opened)) return {nullptr, unavailable->reason};
    accelerator_ = std::get<std::shared_ptr<codegen::Accelerator>>(std::move(opened));
    try {
      accelerator_->rates();
    } catch (const Error& error) {
      accelerator_->give_up(error.message());
    }
  }
  if (const auto failure = accelerator_->failure()) return {nullptr, "it was given up: " + *failure};
  return {accelerator_, ""};
}

}  // namespace accelerant::runtime
