#include "runtime/pipeline.h"

#include "runtime/driver.h"

#include <algorithm>
#include <utility>

namespace accelerant::runtime {

PipelineRun::PipelineRun(Pipeline pipeline, const execution::Cancellation& cancellation,
                         std::function<void(std::exception_ptr)> on_done)
    : pipeline_(std::move(pipeline)), cancellation_(cancellation), on_done_(std::move(on_done)) {}

PipelineRun::~PipelineRun() = default;

void PipelineRun::start(Scheduler& scheduler, int max_drivers) {
  scheduler_ = &scheduler;
  const int64_t useful = std::max<int64_t>(1, pipeline_.source->num_morsels());
  const int num_drivers = static_cast<int>(std::min<int64_t>(std::max(1, max_drivers), useful));
  std::vector<std::shared_ptr<Driver>> drivers;
  for (int i = 0; i < num_drivers; ++i) drivers.push_back(std::make_shared<Driver>(shared_from_this()));
  live_drivers_ = num_drivers;
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

void PipelineRun::wake_drivers() {
  std::vector<std::shared_ptr<Driver>> drivers;
  {
    std::lock_guard lock(mutex_);
    drivers = drivers_;
  }
  for (auto& driver : drivers) driver->wake();
}

void PipelineRun::driver_ended() {
  if (live_drivers_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  const bool satisfied = satisfied_.load(std::memory_order_acquire);
  if (!stopped() && (satisfied || !failed())) {
    try {
      pipeline_.sink->finish();
    } catch (...) {
      fail(std::current_exception(), kAfterAll);
    }
  }
  std::exception_ptr error;
  std::function<void(std::exception_ptr)> on_done;
  {
    std::lock_guard lock(mutex_);
    if (!satisfied) error = error_;
    on_done.swap(on_done_);
    drivers_.clear();
  }
  on_done(error);
}

}  // namespace accelerant::runtime
