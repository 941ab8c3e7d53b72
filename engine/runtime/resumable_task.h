#pragma once

#include "execution/event.h"
#include "runtime/scheduler.h"

#include <atomic>
#include <memory>

namespace accelerant::runtime {

/// A task that may leave its worker until an event fires or somebody wakes it.
class ResumableTask : public Task, public std::enable_shared_from_this<ResumableTask> {
 public:
  /// @param scheduler outlives the task
  explicit ResumableTask(Scheduler& scheduler) : scheduler_(scheduler) {}

  /// Queues the task again if it is suspended; at most one caller succeeds. Any thread.
  void wake();

 protected:
  /// Suspends the task; the slice then returns false, and touches nothing of the task, which another worker may run.
  /// @param is_stale asked once the task is suspended: whether it had better go on, as what would have woken it came
  /// before; holds what it needs itself
  template <class IsStale>
  void suspend(const execution::EventPtr& event, IsStale is_stale) {
    const auto self = shared_from_this();
    parked_.store(true, std::memory_order_release);
    event->on_fire([self] { self->wake(); });
    if (is_stale()) self->wake();
  }

 private:
  Scheduler& scheduler_;
  std::atomic<bool> parked_{false};
};

}  // namespace accelerant::runtime
