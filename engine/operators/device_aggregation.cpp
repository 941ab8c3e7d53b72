#include "operators/device_aggregation.h"

#include "base/error.h"

#include <chrono>
#include <thread>
#include <utility>

namespace accelerant::operators {

DeviceAggregation::DeviceAggregation(std::shared_ptr<codegen::Accelerator> accelerator, DeviceGrouping grouping,
                                     const execution::OperatorContext& ctx)
    : accelerator_(std::move(accelerator)),
      grouping_(std::move(grouping)),
      ctx_(ctx),
      stream_(accelerator_->device().create_stream()) {}

DeviceAggregation::~DeviceAggregation() { groups_.clear(); }

bool DeviceAggregation::take_in(const device::EncodedBatch& batch) {
  const std::lock_guard lock(mutex_);
  const Outcome outcome = update(batch);
  // Rows in error and damaged pages are the host's in any case: its errors are Spark's.
  if (!grouping_.is_strict || outcome == Outcome::Done || outcome == Outcome::NotSound) return outcome == Outcome::Done;
  throw Error(ErrorKind::Resource, outcome == Outcome::NoMemory
                                       ? "spark.accelerant.strict: a row group does not fit the memory of the device"
                                       : "spark.accelerant.strict: keys are stored as no kernel reads them");
}

DeviceAggregation::Outcome DeviceAggregation::update(const device::EncodedBatch& batch) {
  codegen::FusedGroups* groups = groups_for(batch);
  if (groups == nullptr) return Outcome::Refused;
  if (!is_ready(*groups)) return Outcome::NotReady;
  try {
    const std::optional<device::DeviceBatch> decoded = device::decode(*stream_, batch, ctx_.budget);
    return decoded && groups->update(*stream_, *decoded, ctx_.budget) ? Outcome::Done : Outcome::NotSound;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Resource) throw;
    return Outcome::NoMemory;
  }
}

bool DeviceAggregation::is_ready(codegen::FusedGroups& groups) const {
  constexpr std::chrono::milliseconds kPause(1);
  while (!groups.ready()) {
    if (!grouping_.is_strict) return false;
    ctx_.cancellation->check();
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

codegen::FusedGroups* DeviceAggregation::groups_for(const device::EncodedBatch& batch) {
  std::vector<device::ColumnLayout> layouts;
  for (const device::EncodedColumn& column : batch.columns) layouts.push_back(device::layout_of(column));
  const auto [found, is_new] = groups_.try_emplace(std::move(layouts));
  if (!is_new) return found->second.get();
  codegen::RowSteps steps = grouping_.steps;
  for (size_t i = 0; i < steps.inputs.size(); ++i) steps.inputs[i].layout = found->first[i];
  if (!codegen::FusedGroups::refusal_of(steps, grouping_.num_keys, grouping_.calls)) {
    found->second = std::make_unique<codegen::FusedGroups>(std::move(steps), grouping_.num_keys, grouping_.calls,
                                                           accelerator_->compiler());
  }
  return found->second.get();
}

std::vector<codegen::GroupPart> DeviceAggregation::take() {
  const std::lock_guard lock(mutex_);
  std::vector<codegen::GroupPart> parts;
  for (const auto& [layouts, groups] : groups_) {
    if (!groups) continue;
    std::vector<codegen::GroupPart> own = groups->take(*stream_, ctx_.budget);
    parts.insert(parts.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  return parts;
}

}  // namespace accelerant::operators
