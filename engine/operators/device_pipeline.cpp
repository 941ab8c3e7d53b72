#include "operators/device_pipeline.h"

#include "device/pinned_memory.h"
#include "memory/memory_wait.h"

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

std::unique_ptr<DeviceWorker> DevicePipeline::make_worker() {
  ++num_workers_;
  return std::make_unique<DeviceWorker>(accelerator_, at_work_, state_);
}

memory::AllocateBuffer DevicePipeline::host_memory() const {
  return [pinned = accelerator_->device().pinned_memory()](int64_t bytes, const auto& budget) {
    return pinned->allocate(bytes, budget);
  };
}

Intake DevicePipeline::take_in(DeviceWorker& worker, const device::EncodedBatch& batch, columns::Batch& made) {
  Outcome outcome{Outcome::Kind::Waiting};
  try {
    outcome = attempt(worker, batch, made);
  } catch (const memory::MemoryWait&) {
    // Others may have to get to what it holds before they can give memory back.
    worker.finish();
    throw;
  }
  if (outcome.kind == Outcome::Kind::Waiting) return {Intake::Kind::Waiting, std::move(outcome.event)};
  worker.finish();
  if (outcome.kind == Outcome::Kind::Refused && is_strict_) {
    throw Error(ErrorKind::Resource, "spark.accelerant.strict: no device takes a row group: " + outcome.reason);
  }
  if (outcome.kind != Outcome::Kind::Done) return {Intake::Kind::Left};
  counters_.count_read(batch.num_rows);
  if (keeps_state()) {
    const std::lock_guard lock(mutex_);
    taken_.push_back(batch.morsel);
    rows_taken_ += batch.num_rows;
  }
  return {Intake::Kind::Taken};
}

DevicePipeline::Outcome DevicePipeline::attempt(DeviceWorker& worker, const device::EncodedBatch& batch,
                                                columns::Batch& made) {
  using Kind = Outcome::Kind;
  const auto found = ready_kernels(batch);
  if (const auto* outcome = std::get_if<Outcome>(&found)) return *outcome;
  DeviceKernels& kernels = *std::get<DeviceKernels*>(found);
  Outcome outcome = attempt_once(kernels, worker, batch, made);
  if (outcome.kind == Kind::NoRoom && num_workers_ > 1 && !worker.wants_alone()) {
    worker.want_alone();
    outcome = attempt_once(kernels, worker, batch, made);
  }
  if (outcome.kind == Kind::NoRoom) outcome.kind = Kind::Refused;
  return outcome;
}

DevicePipeline::Outcome DevicePipeline::attempt_once(DeviceKernels& kernels, DeviceWorker& worker,
                                                     const device::EncodedBatch& batch, columns::Batch& made) {
  using Kind = Outcome::Kind;
  if (auto others = worker.begin()) return {Kind::Waiting, {}, std::move(others)};
  try {
    return run(kernels, worker, batch, made);
  } catch (const Error& error) {
    if (is_of_query(error)) throw;
    if (error.kind() == ErrorKind::Resource) return {Kind::NoRoom, error.message()};
    if (error.kind() != ErrorKind::Unsupported) give_up(error);
    return {Kind::Refused, error.message()};
  }
}

std::variant<DeviceKernels*, DevicePipeline::Outcome> DevicePipeline::ready_kernels(const device::EncodedBatch& batch) {
  using Kind = Outcome::Kind;
  const std::lock_guard lock(mutex_);
  if (failure_) return Outcome{Kind::Refused, *failure_};
  // Before it is asked whether they are compiled: the one that they wait for may be just then.
  auto compiled = accelerator_->compiler().next_compiled();
  Kernels& kernels = kernels_for(batch);
  try {
    if (kernels.made && !kernels.made->ready()) {
      if (!is_strict_) return Outcome{Kind::NotReady};
      return Outcome{Kind::Waiting, {}, std::move(compiled)};
    }
  } catch (const Error& error) {
    if (is_of_query(error)) throw;
    kernels = {nullptr, error.message()};
  }
  if (!kernels.made) return Outcome{Kind::Refused, kernels.refusal};
  return kernels.made.get();
}

DevicePipeline::Outcome DevicePipeline::run(DeviceKernels& kernels, DeviceWorker& worker,
                                            const device::EncodedBatch& batch, columns::Batch& made) {
  using Kind = Outcome::Kind;
  const auto outcome_of = [](bool is_sound) { return Outcome{is_sound ? Kind::Done : Kind::NotSound}; };
  auto turn = accelerator_->take_turn();
  const device::DeviceBatch* decoded = worker.decode(batch, ctx_.budget);
  if (!decoded) return {Kind::NotSound};
  if (!keeps_state()) return outcome_of(kernels.take_in(worker.stream(ctx_.budget), *decoded, made));
  if (auto others = worker.take_state()) return {Kind::Waiting, {}, std::move(others)};
  if (!stream_) stream_ = accelerator_->device().create_stream(ctx_.budget);
  return outcome_of(kernels.take_in(*stream_, *decoded, made));
}

void DevicePipeline::give_up(const Error& error) {
  const std::lock_guard lock(mutex_);
  failure_ = error.message();
  accelerator_->give_up(error.message());
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
  execution::Gate::Pass alone(state_);
  ACC_CHECK(alone.enter_alone() == nullptr);
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
      if (error.kind() != ErrorKind::Resource) accelerator_->give_up(error.message());
    }
  }
  if (is_strict_) throw Error(ErrorKind::Resource, "spark.accelerant.strict: the device lost its rows: " + *failure_);
  forget();
  counters_.count_read(-std::exchange(rows_taken_, 0));
  return std::exchange(taken_, {});
}

}  // namespace accelerant::operators
