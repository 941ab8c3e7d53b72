#include "runtime/pipeline.h"

#include "base/error.h"
#include "runtime/driver.h"
#include "runtime/finish_driver.h"

#include <algorithm>
#include <utility>

namespace accelerant::runtime {

PipelineRun::PipelineRun(Pipeline pipeline, const execution::Cancellation& cancellation,
                         std::function<void(std::exception_ptr)> on_done)
    : pipeline_(std::move(pipeline)),
      cancellation_(cancellation),
      on_done_(std::move(on_done)),
      first_morsels_{0},
      drivers_in_feed_(pipeline_.feeds.size()) {
  for (const PipelineFeed& feed : pipeline_.feeds) {
    first_morsels_.push_back(first_morsels_.back() + feed.source->num_morsels());
    feed_ended_.push_back(std::make_shared<execution::Event>());
  }
}

PipelineRun::~PipelineRun() = default;

void PipelineRun::start(Scheduler& scheduler, int max_drivers, std::shared_ptr<Participant> participant) {
  scheduler_ = &scheduler;
  participant_ = std::move(participant);
  const int64_t useful = std::max<int64_t>(1, first_morsels_.back());
  num_drivers_ = static_cast<int>(std::min<int64_t>(std::max(1, max_drivers), useful));
  std::vector<std::shared_ptr<ResumableTask>> drivers;
  for (int i = 0; i < num_drivers_; ++i) drivers.push_back(std::make_shared<Driver>(shared_from_this(), next_seed()));
  live_drivers_ = num_drivers_;
  for (auto& count : drivers_in_feed_) count = num_drivers_;
  submit_next(drivers);
}

uint64_t PipelineRun::next_seed() {
  return pipeline_.interruptions == 0 ? 0 : pipeline_.interruptions + num_seeds_.fetch_add(1);
}

void PipelineRun::add_tasks(std::span<const std::shared_ptr<ResumableTask>> tasks) {
  const std::lock_guard lock(mutex_);
  tasks_.insert(tasks_.end(), tasks.begin(), tasks.end());
}

void PipelineRun::submit_next(std::span<const std::shared_ptr<ResumableTask>> tasks) {
  add_tasks(tasks);
  for (const auto& task : tasks.subspan(1)) scheduler_->submit(task);
  scheduler_->submit_next(tasks.front());
}

void PipelineRun::stop() {
  stopped_.store(true, std::memory_order_release);
  wake_tasks();
}

void PipelineRun::fail(std::exception_ptr error, int64_t morsel) {
  {
    std::lock_guard lock(mutex_);
    if (morsel >= failed_morsel_.load(std::memory_order_relaxed)) return;
    error_ = std::move(error);
    failed_morsel_.store(morsel, std::memory_order_release);
  }
  wake_tasks();
}

void PipelineRun::satisfy() {
  satisfied_.store(true, std::memory_order_release);
  wake_tasks();
}

void PipelineRun::wake_tasks() {
  std::vector<std::shared_ptr<ResumableTask>> tasks;
  {
    std::lock_guard lock(mutex_);
    tasks = tasks_;
  }
  for (auto& task : tasks) task->wake();
}

void PipelineRun::leave_feed(size_t feed) {
  if (drivers_in_feed_[feed].fetch_sub(1, std::memory_order_acq_rel) == 1) feed_ended_[feed]->fire();
}

execution::EventPtr PipelineRun::barrier_before(size_t feed) const {
  const bool must_wait = pipeline_.feeds[feed].after_others && feed > 0 && !feed_ended_[feed - 1]->fired();
  return must_wait ? feed_ended_[feed - 1] : nullptr;
}

void PipelineRun::driver_ended() {
  if (live_drivers_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  if (const std::exception_ptr error = why_unfinished()) return conclude(error);
  live_drivers_ = 1;
  const std::shared_ptr<ResumableTask> finish = std::make_shared<FinishDriver>(shared_from_this(), true, next_seed());
  submit_next({&finish, 1});
}

std::exception_ptr PipelineRun::why_unfinished() {
  // Some drivers may have ended before they were through, or combined.
  if (stopped()) return std::make_exception_ptr(Error(ErrorKind::Cancelled, "the query was cancelled"));
  std::lock_guard lock(mutex_);
  // Of a satisfied sink only what combining met counts.
  const bool counts = !satisfied() || failed_morsel_.load(std::memory_order_relaxed) == kAfterAll;
  return counts ? error_ : nullptr;
}

void PipelineRun::start_finish_tasks() {
  const int64_t num_others = std::min<int64_t>(num_drivers_, sink().num_finish_tasks()) - 1;
  std::vector<std::shared_ptr<ResumableTask>> others;
  for (int64_t i = 0; i < num_others; ++i) {
    others.push_back(std::make_shared<FinishDriver>(shared_from_this(), false, next_seed()));
  }
  live_drivers_.fetch_add(static_cast<int>(others.size()), std::memory_order_acq_rel);
  add_tasks(others);
  for (const auto& task : others) scheduler_->submit(task);
}

void PipelineRun::fail_finish(const std::exception_ptr& error) {
  next_finish_task_.store(sink().num_finish_tasks(), std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  if (!finish_error_) finish_error_ = error;
}

void PipelineRun::finish_driver_ended() {
  if (live_drivers_.fetch_sub(1, std::memory_order_acq_rel) == 1) conclude(finish_error_);
}

void PipelineRun::conclude(const std::exception_ptr& error) {
  std::function<void(std::exception_ptr)> on_done;
  {
    std::lock_guard lock(mutex_);
    on_done.swap(on_done_);
    tasks_.clear();
  }
  on_done(error);
}

}  // namespace accelerant::runtime
