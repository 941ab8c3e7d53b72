#include "runtime/shared_stages.h"

#include "base/error.h"
#include "operators/scalar_value.h"
#include "plan/scalar_value.h"

#include <utility>

namespace accelerant::runtime {

SharedStages::SharedStages(std::shared_ptr<Query> query)
    : query_(std::move(query)), last_uses_(planner::last_uses(query_->stages_)) {}

void SharedStages::start_stage(size_t index) {
  const planner::Stage& stage = query_->stages_[index];
  try {
    const auto ctx = query_->context(*stage.breaker, cancellation_, results_.parameters);
    auto breaker = planner::make_breaker(stage.breaker, ctx);
    Pipeline pipeline = make_pipeline(*query_, stage, results_, {}, breaker, ctx.metrics, cancellation_);
    auto run = std::make_shared<PipelineRun>(std::move(pipeline), cancellation_,
                                             [self = shared_from_this(), index, breaker](std::exception_ptr error) {
                                               self->stage_ended(index, breaker, std::move(error));
                                             });
    {
      std::lock_guard lock(mutex_);
      run_ = run;
    }
    run->start(scheduler(), query_->num_drivers(stage));
    if (cancellation_.is_cancelled()) run->stop();
  } catch (...) {
    stage_ended(index, nullptr, std::current_exception());
  }
}

void SharedStages::stage_ended(size_t index, std::shared_ptr<operators::Breaker> breaker, std::exception_ptr error) {
  std::shared_ptr<PipelineRun> ended;
  {
    std::lock_guard lock(mutex_);
    ended = std::exchange(run_, nullptr);
    if (error && !error_) error_ = error;
  }
  if (error) return end();
  std::erase_if(results_.breakers, [&](const auto& entry) { return last_uses_.at(entry.first) == index; });
  keep(*query_->stages_[index].breaker, std::move(breaker));
  if (index + 2 < query_->stages_.size()) return start_stage(index + 1);
  end();
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

void SharedStages::keep(const plan::Node& node, std::shared_ptr<operators::Breaker> breaker) {
  if (!node.is<plan::ScalarValue>()) {
    results_.breakers.emplace(&node, std::move(breaker));
    return;
  }
  const auto& scalar = static_cast<const operators::ScalarValueSink&>(*breaker);
  auto parameters = results_.parameters ? std::make_shared<execution::Parameters>(*results_.parameters)
                                        : std::make_shared<execution::Parameters>();
  parameters->emplace(node.plan_node, scalar.value());
  results_.parameters = std::move(parameters);
}

const planner::Results& SharedStages::results() const {
  std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  return results_;
}

void SharedStages::leave() {
  if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1 && !query_->keeps(*this)) cancel();
}

void SharedStages::cancel() {
  std::shared_ptr<PipelineRun> run;
  {
    std::lock_guard lock(mutex_);
    run = run_;
  }
  cancellation_.cancel();
  if (run) run->stop();
}

}  // namespace accelerant::runtime
