#include "runtime/pipeline.h"

#include "base/error.h"
#include "execution/step_timer.h"
#include "runtime/driver.h"

#include <algorithm>
#include <utility>

namespace accelerant::runtime {

/// Does tasks of a finished sink's work, one a slice.
class PipelineRun::FinishTask final : public Task {
 public:
  explicit FinishTask(std::shared_ptr<PipelineRun> run) : run_(std::move(run)) {}
  bool run_slice() override { return run_->run_finish_task(); }

 private:
  const std::shared_ptr<PipelineRun> run_;
};

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

void PipelineRun::start(Scheduler& scheduler, int max_drivers) {
  scheduler_ = &scheduler;
  const int64_t useful = std::max<int64_t>(1, first_morsels_.back());
  num_drivers_ = static_cast<int>(std::min<int64_t>(std::max(1, max_drivers), useful));
  std::vector<std::shared_ptr<Driver>> drivers;
  for (int i = 0; i < num_drivers_; ++i) drivers.push_back(std::make_shared<Driver>(shared_from_this()));
  live_drivers_ = num_drivers_;
  for (auto& count : drivers_in_feed_) count = num_drivers_;
  {
    std::lock_guard lock(mutex_);
    drivers_ = drivers;
  }
  for (auto& driver : drivers) scheduler.submit(std::move(driver));
}

void PipelineRun::stop() {
  stopped_.store(true, std::memory_order_release);
  wake_drivers();
}

void PipelineRun::fail(std::exception_ptr error, int64_t morsel) {
  {
    std::lock_guard lock(mutex_);
    if (morsel >= failed_morsel_.load(std::memory_order_relaxed)) return;
    error_ = std::move(error);
    failed_morsel_.store(morsel, std::memory_order_release);
  }
  wake_drivers();
}

void PipelineRun::satisfy() {
  satisfied_.store(true, std::memory_order_release);
  wake_drivers();
}

void PipelineRun::wake_drivers() {
  std::vector<std::shared_ptr<Driver>> drivers;
  {
    std::lock_guard lock(mutex_);
    drivers = drivers_;
  }
  for (auto& driver : drivers) driver->wake();
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
  const std::exception_ptr error = finish();
  if (!error && pipeline_.sink->num_finish_tasks() > 0) return start_finish_tasks();
  conclude(error);
}

void PipelineRun::start_finish_tasks() {
  const int num_tasks = static_cast<int>(std::min<int64_t>(num_drivers_, pipeline_.sink->num_finish_tasks()));
  live_drivers_ = num_tasks;
  for (int i = 0; i < num_tasks; ++i) scheduler_->submit(std::make_shared<FinishTask>(shared_from_this()));
}

bool PipelineRun::run_finish_task() {
  const int64_t num_finish_tasks = pipeline_.sink->num_finish_tasks();
  const int64_t task = next_finish_task_.fetch_add(1, std::memory_order_relaxed);
  if (task >= num_finish_tasks) {
    if (live_drivers_.fetch_sub(1, std::memory_order_acq_rel) == 1) conclude(finish_error_);
    return false;
  }
  try {
    cancellation_.check();
    const execution::StepTimer timer(*pipeline_.sink_metrics);
    pipeline_.sink->run_finish_task(task);
  } catch (...) {
    next_finish_task_.store(num_finish_tasks, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    if (!finish_error_) finish_error_ = std::current_exception();
  }
  return true;
}

void PipelineRun::conclude(const std::exception_ptr& error) {
  std::function<void(std::exception_ptr)> on_done;
  {
    std::lock_guard lock(mutex_);
    on_done.swap(on_done_);
    drivers_.clear();
  }
  on_done(error);
}

/// Completes the sink's result; returns why there is none.
std::exception_ptr PipelineRun::finish() {
  // Some drivers may have ended before they were through, or combined.
  if (stopped()) return std::make_exception_ptr(Error(ErrorKind::Cancelled, "the query was cancelled"));
  {
    std::lock_guard lock(mutex_);
    // Of a satisfied sink only what combining met counts.
    const bool counts = !satisfied() || failed_morsel_.load(std::memory_order_relaxed) == kAfterAll;
    if (error_ && counts) return error_;
  }
  try {
    const execution::StepTimer timer(*pipeline_.sink_metrics);
    pipeline_.sink->finish();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace accelerant::runtime
