#pragma once

#include "execution/event.h"
#include "runtime/arbiter.h"
#include "runtime/scheduler.h"

#include <atomic>
#include <memory>

namespace accelerant::runtime {

/// A task that may leave its worker until an event fires or somebody wakes it.
class ResumableTask : public Task, public std::enable_shared_from_this<ResumableTask> {
 public:
  /// @param scheduler outlives the task
  /// @param participant the query whose task it is; nullptr: none that waits for memory
  ResumableTask(Scheduler& scheduler, std::shared_ptr<Participant> participant);
  ~ResumableTask() override;

  /// Queues the task again if it is suspended; at most one caller succeeds. Any thread.
  void wake();

 protected:
  /// Suspends the task; the slice then returns false, and touches nothing of the task, which another worker may run.
  /// @param is_stale asked once the task is suspended: whether it had better go on, as what would have woken it came
  /// before; holds what it needs itself
  template <class IsStale>
  void suspend(const execution::EventPtr& event, IsStale is_stale) {
    const auto self = shared_from_this();
    const bool stays_at_work = event->comes_by_itself();
    stays_at_work_ = stays_at_work;
    waits_for_ = event;
    parked_.store(true, std::memory_order_release);
    event->on_fire([self] { self->wake(); });
    if (is_stale()) self->wake();
    // Last, so that what was woken meanwhile is at work before.
    if (participant_ && !stays_at_work) participant_->end_work();
  }
  /// Says that it has nothing more to do. Called once what comes after it is at work.
  void end_work();
  Participant* participant() const { return participant_.get(); }

 private:
  Scheduler& scheduler_;
  const std::shared_ptr<Participant> participant_;
  bool has_ended_ = false;
  bool stays_at_work_ = false;                 ///< while it is suspended
  std::weak_ptr<execution::Event> waits_for_;  ///< which holds the task
  std::atomic<bool> parked_{false};
};

}  // namespace accelerant::runtime
