#include "runtime/device_feeds.h"

#include "base/error.h"
#include "codegen/accelerator.h"
#include "operators/device_rows.h"
#include "planner/device_stages.h"
#include "runtime/query.h"

#include <string>
#include <utility>
#include <variant>

namespace accelerant::runtime {

namespace {

[[noreturn]] void fail_for(const std::string& reason) {
  throw Error(ErrorKind::Resource, "spark.accelerant.strict: no device runs it: " + reason);
}

/// Returns the device that the plan is made for; nullptr: it was given up since.
std::shared_ptr<codegen::Accelerator> device_of(const Query& query) {
  const planner::OpenedDevice opened = query.device();
  std::string reason;
  if (const auto* unavailable = std::get_if<codegen::Unavailable>(&opened)) {
    reason = unavailable->reason;
  } else {
    const auto& device = std::get<std::shared_ptr<codegen::Accelerator>>(opened);
    const auto failure = device->failure();
    if (!failure) return device;
    reason = "it was given up: " + *failure;
  }
  if (query.options().is_strict()) fail_for(reason);
  return nullptr;
}

/// Returns the counters of the nodes of a feed that a device runs.
operators::DeviceCounters counters_of(const StageRun& run, const planner::Feed& feed) {
  execution::Metrics* source = feed.reads_again ? run.query.uncounted() : run.context(*feed.source).metrics;
  const auto counters = [&](const std::vector<size_t>& nodes) {
    std::vector<execution::Metrics*> found;
    for (const size_t node : nodes) {
      found.push_back(node == 0 ? source : run.context(*feed.transforms[node - 1]).metrics);
    }
    return found;
  };
  return {source, counters(feed.device_nodes.before_filters), counters(feed.device_nodes.after_filters)};
}

columns::Batch empty_batch(const std::vector<types::DataType>& types, const std::shared_ptr<memory::Budget>& budget) {
  columns::Batch batch;
  for (const types::DataType& type : types) batch.columns.push_back(columns::Column::nulls(type, 0, budget));
  return batch;
}

}  // namespace

void check_refusal(const planner::Stage& stage) {
  if (stage.refusal) fail_for(*stage.refusal);
}

std::shared_ptr<operators::DeviceAggregation> make_device_aggregation(const StageRun& run) {
  if (!run.stage.device_grouping) return nullptr;
  const auto device = device_of(run.query);
  if (!device) return nullptr;
  operators::DeviceGrouping grouping = *run.stage.device_grouping;
  grouping.steps.parameters = run.results.parameters;
  return std::make_shared<operators::DeviceAggregation>(device, grouping, counters_of(run, run.stage.feeds.front()),
                                                        run.query.options().is_strict(),
                                                        run.context(*run.stage.breaker));
}

FeedDevice all_rows(const operators::DeviceGrouping& grouping,
                    std::shared_ptr<operators::DeviceAggregation> aggregation) {
  FeedDevice made{std::move(aggregation), std::nullopt, {}};
  for (const codegen::InputColumn& column : grouping.steps.inputs) made.types.push_back(column.type);
  return made;
}

std::optional<FeedDevice> make_device_rows(const StageRun& run, const planner::Feed& feed) {
  const auto device = feed.device ? device_of(run.query) : nullptr;
  if (!device) return std::nullopt;
  const planner::DeviceFeed& planned = *feed.device;
  codegen::RowSteps steps = planned.steps;
  steps.parameters = run.results.parameters;
  auto rows = std::make_shared<operators::DeviceRows>(device, std::move(steps), counters_of(run, feed),
                                                      run.query.options().is_strict(), run.context(*feed.source));
  return FeedDevice{std::move(rows), planned.num_transforms, planned.types};
}

std::unique_ptr<operators::Source> make_device_source(const FeedDevice& device, std::unique_ptr<io::Scan> scan,
                                                      operators::HostSteps host,
                                                      const execution::OperatorContext& ctx) {
  return std::make_unique<operators::DeviceSource>(std::move(scan), device.pipeline, std::move(host),
                                                   empty_batch(device.types, ctx.budget), ctx.batch_rows);
}

}  // namespace accelerant::runtime
