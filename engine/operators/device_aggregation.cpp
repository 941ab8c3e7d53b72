#include "operators/device_aggregation.h"

#include "base/error.h"
#include "device/stream_guard.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// Batches of fewer rows are not cut in two where memory is short.
constexpr int64_t kLeastRows = 4096;

/// Returns the columns of a batch that steps read: what the first programs read, as far as the first projection.
std::vector<int> columns_read(const codegen::RowSteps& steps) {
  std::vector<int> positions;
  for (const codegen::RowStep& step : steps.steps) {
    const std::vector<int>& inputs = step.program->inputs();
    positions.insert(positions.end(), inputs.begin(), inputs.end());
    if (step.kind == codegen::RowStep::Kind::Project) break;
  }
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

Batch part_of(const Batch& batch, int64_t first, int64_t length) {
  Batch part = batch;
  part.num_rows = length;
  for (columns::ColumnPtr& column : part.columns) {
    if (column) column = column->slice(first, length);
  }
  return part;
}

}  // namespace

DeviceAggregation::DeviceAggregation(std::shared_ptr<codegen::Accelerator> accelerator, DeviceGrouping grouping,
                                     const execution::OperatorContext& ctx)
    : accelerator_(std::move(accelerator)),
      grouping_(std::move(grouping)),
      ctx_(ctx),
      positions_(columns_read(grouping_.steps)),
      stream_(accelerator_->device().create_stream()) {}

DeviceAggregation::~DeviceAggregation() { groups_.clear(); }

std::vector<Batch> DeviceAggregation::take_in(Batch batch) {
  std::vector<Batch> left;
  if (batch.errors.empty()) {
    const std::lock_guard lock(mutex_);
    take_in(columns::compact(std::move(batch), ctx_.budget), left);
  } else {
    left.push_back(std::move(batch));
  }
  return left;
}

void DeviceAggregation::take_in(Batch batch, std::vector<Batch>& left) {
  const Outcome outcome = update(batch);
  if (outcome == Outcome::Done) return;
  if (outcome == Outcome::NoMemory && batch.num_rows >= 2 * kLeastRows) {
    const int64_t half = batch.num_rows / 2;
    take_in(part_of(batch, 0, half), left);
    take_in(part_of(batch, half, batch.num_rows - half), left);
    return;
  }
  if (grouping_.is_strict && outcome != Outcome::RowInError) {
    throw Error(ErrorKind::Resource, outcome == Outcome::NoMemory ? "a batch does not fit the memory of the device"
                                                                  : "columns are laid out as no kernel reads them");
  }
  left.push_back(std::move(batch));
}

DeviceAggregation::Outcome DeviceAggregation::update(const Batch& batch) {
  if (batch.num_rows == 0) return Outcome::Done;
  try {
    const device::DeviceBatch copied = device::upload(*stream_, batch, positions_, ctx_.budget);
    const device::StreamGuard guard(*stream_);
    codegen::FusedGroups* groups = groups_for(copied);
    const bool can_run = groups != nullptr && is_ready(*groups);
    const bool is_done = can_run && groups->update(*stream_, copied, ctx_.budget);
    stream_->synchronize();
    if (is_done) return Outcome::Done;
    if (groups == nullptr) return Outcome::Refused;
    return can_run ? Outcome::RowInError : Outcome::NotReady;
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

codegen::FusedGroups* DeviceAggregation::groups_for(const device::DeviceBatch& batch) {
  std::vector<device::ColumnLayout> layouts;
  for (const device::DeviceColumn& column : batch.columns) layouts.push_back(column.layout);
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
