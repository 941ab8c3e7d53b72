#include "operators/device_pipeline.h"

#include <chrono>
#include <thread>
#include <utility>

namespace accelerant::operators {

namespace {

/// Says whether an error is the query's own, which does not depend on where it runs.
bool is_of_query(const Error& error) { return error.kind() == ErrorKind::Cancelled || error.kind() == ErrorKind::User; }

}  // namespace

void DeviceCounters::count_read(int64_t rows) const {
  scan->device_rows.fetch_add(rows, std::memory_order_relaxed);
  for (execution::Metrics* metrics : before_filters) metrics->output_rows.fetch_add(rows, std::memory_order_relaxed);
}

void DeviceCounters::count_kept(int64_t rows) const {
  for (execution::Metrics* metrics : after_filters) metrics->output_rows.fetch_add(rows, std::memory_order_relaxed);
}

DevicePipeline::DevicePipeline(std::shared_ptr<codegen::Accelerator> accelerator, codegen::RowSteps steps,
                               DeviceCounters counters, bool is_strict, const execution::OperatorContext& ctx)
    : accelerator_(std::move(accelerator)),
      steps_(std::move(steps)),
      counters_(std::move(counters)),
      is_strict_(is_strict),
      ctx_(ctx) {}

DevicePipeline::~DevicePipeline() {
  const auto turn = accelerator_->take_turn();
  kernels_.clear();
  stream_.reset();
}

bool DevicePipeline::take_in(const device::EncodedBatch& batch, columns::Batch& made) {
  const std::lock_guard lock(mutex_);
  const Outcome outcome = attempt(batch, made);
  if (outcome.kind == Outcome::Kind::Refused && is_strict_) {
    throw Error(ErrorKind::Resource, "spark.accelerant.strict: no device takes a row group: " + outcome.reason);
  }
  if (outcome.kind != Outcome::Kind::Done) return false;
  counters_.count_read(batch.num_rows);
  if (keeps_state()) {
    taken_.push_back(batch.morsel);
    rows_taken_ += batch.num_rows;
  }
  return true;
}

DevicePipeline::Outcome DevicePipeline::attempt(const device::EncodedBatch& batch, columns::Batch& made) {
  using Kind = Outcome::Kind;
  if (failure_) return {Kind::Refused, *failure_};
  Kernels& kernels = kernels_for(batch);
  if (!kernels.made) return {Kind::Refused, kernels.refusal};
  try {
    if (!is_ready(kernels)) return {Kind::NotReady};
  } catch (const Error& error) {
    if (is_of_query(error)) throw;
    kernels = {nullptr, error.message()};
    return {Kind::Refused, kernels.refusal};
  }
  return run(kernels, batch, made);
}

DevicePipeline::Outcome DevicePipeline::run(Kernels& kernels, const device::EncodedBatch& batch, columns::Batch& made) {
  using Kind = Outcome::Kind;
  try {
    const auto turn = accelerator_->take_turn();
    if (!stream_) stream_ = accelerator_->device().create_stream(ctx_.budget);
    const std::optional<device::DeviceBatch> decoded = device::decode(*stream_, batch, ctx_.budget);
    const bool is_sound = decoded && kernels.made->take_in(*stream_, *decoded, made);
    return {is_sound ? Kind::Done : Kind::NotSound};
  } catch (const Error& error) {
    if (is_of_query(error)) throw;
    const bool is_of_batch = error.kind() == ErrorKind::Resource || error.kind() == ErrorKind::Unsupported;
    if (!is_of_batch) give_up(error);
    return {Kind::Refused, error.message()};
  }
}

void DevicePipeline::give_up(const Error& error) {
  failure_ = error.message();
  accelerator_->give_up(error.message());
}

bool DevicePipeline::is_ready(Kernels& kernels) const {
  constexpr std::chrono::milliseconds kPause(1);
  while (!kernels.made->ready()) {
    if (!is_strict_) return false;
    ctx_.cancellation->check();
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

DevicePipeline::Kernels& DevicePipeline::kernels_for(const device::EncodedBatch& batch) {
  std::vector<device::ColumnLayout> layouts;
  for (const device::EncodedColumn& column : batch.columns) layouts.push_back(device::layout_of(column));
  const auto [found, is_new] = kernels_.try_emplace(std::move(layouts));
  if (!is_new) return found->second;
  codegen::RowSteps steps = steps_;
  for (size_t i = 0; i < steps.inputs.size(); ++i) steps.inputs[i].layout = found->first[i];
  try {
    found->second.made = make_kernels(steps);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    found->second.refusal = error.message();
  }
  return found->second;
}

std::vector<int64_t> DevicePipeline::complete() {
  const std::lock_guard lock(mutex_);
  if (taken_.empty()) return {};
  if (!failure_) {
    try {
      const auto turn = accelerator_->take_turn();
      bring_home(*stream_);
      taken_.clear();
      return {};
    } catch (const Error& error) {
      if (is_of_query(error)) throw;
      failure_ = error.message();
      if (error.kind() != ErrorKind::Resource) give_up(error);
    }
  }
  if (is_strict_) throw Error(ErrorKind::Resource, "spark.accelerant.strict: the device lost its rows: " + *failure_);
  forget();
  counters_.count_read(-std::exchange(rows_taken_, 0));
  return std::exchange(taken_, {});
}

}  // namespace accelerant::operators
