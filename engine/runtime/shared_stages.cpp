#include "runtime/shared_stages.h"

#include "memory/memory_wait.h"
#include "planner/operators.h"
#include "runtime/device_feeds.h"

#include <utility>

namespace accelerant::runtime {

SharedStages::SharedStages(std::shared_ptr<Query> query) : query_(std::move(query)) {
  results_.parameters = query_->functions();
}

void SharedStages::start_stage(size_t index) {
  const auto start =
      std::make_shared<StageStart>(scheduler(), query_->participant(), cancellation_, query_->options().interruptions,
                                   [self = shared_from_this(), index] { self->make_stage(index); });
  {
    std::lock_guard lock(mutex_);
    start_ = start;
  }
  start->run_slice();
}

void SharedStages::make_stage(size_t index) {
  const planner::Stage& stage = query_->physical_plan().stages[index];
  try {
    cancellation_.check();
    const StageRun stage_run{*query_, stage, results_, cancellation_};
    const execution::OperatorContext ctx = stage_run.context(*stage.breaker);
    const auto device = make_device_aggregation(stage_run);
    const auto target = query_->nodes().spill_target(*stage.breaker);
    const auto breaker = planner::make_breaker(stage, ctx, target, device);
    auto run = std::make_shared<PipelineRun>(make_pipeline(stage_run, breaker, ctx.metrics, device), cancellation_,
                                             [self = shared_from_this(), index, breaker](std::exception_ptr error) {
                                               self->stage_ended(index, breaker.get(), std::move(error));
                                             });
    {
      std::lock_guard lock(mutex_);
      run_ = run;
    }
    run->start(scheduler(), query_->num_drivers(stage), query_->participant());
    if (cancellation_.is_cancelled()) run->stop();
  } catch (const memory::MemoryWait&) {
    throw;
  } catch (...) {
    stage_ended(index, nullptr, std::current_exception());
  }
}

void SharedStages::stage_ended(size_t index, operators::Breaker* breaker, std::exception_ptr error) {
  std::shared_ptr<PipelineRun> ended;
  {
    std::lock_guard lock(mutex_);
    ended = std::exchange(run_, nullptr);
    if (error && !error_) error_ = error;
  }
  if (error) return end();
  drop_read(index);
  const std::vector<planner::Stage>& stages = query_->physical_plan().stages;
  breaker->hand_on(*stages[index].breaker, results_);
  if (index + 2 < stages.size()) return start_stage(index + 1);
  end();
}

void SharedStages::drop_read(size_t index) {
  for (const auto& [node, last_use] : query_->physical_plan().last_uses) {
    if (last_use == index) results_.drop(*node);
  }
}

void SharedStages::end() {
  {
    std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  ended_.notify_all();
  done_->fire();
}

bool SharedStages::wait(std::chrono::milliseconds timeout) const {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, timeout, [&] { return has_ended_; });
}

bool SharedStages::has_failed() const {
  std::lock_guard lock(mutex_);
  return error_ != nullptr;
}

const operators::StageResults& SharedStages::results() const {
  std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  return results_;
}

void SharedStages::leave() {
  if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1 && !query_->keeps(*this)) cancel();
}

void SharedStages::cancel() {
  std::shared_ptr<PipelineRun> run;
  std::shared_ptr<StageStart> start;
  {
    std::lock_guard lock(mutex_);
    run = run_;
    start = start_.lock();
  }
  cancellation_.cancel();
  if (run) run->stop();
  if (start) start->wake();
}

}  // namespace accelerant::runtime
