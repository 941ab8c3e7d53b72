#pragma once

#include "execution/event.h"
#include "memory/budget.h"
#include "memory/memory_wait.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::runtime {

class Arbiter;

/// When a task's step that had to wait was last made again, in epochs of the arbiter; under its lock.
struct Retries {
  uint64_t any = 0;
  uint64_t alone = 0;  ///< while nobody else was at work whom it might have waited for
};

/// A query among those whose steps may wait for memory. Any thread.
class Participant {
 public:
  Participant(Arbiter& arbiter, std::shared_ptr<memory::Budget> budget);
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;
  ~Participant();

  /// Says that one more of its tasks is at work: it runs, is queued to run, or waits for what comes without any task.
  void begin_work() { num_at_work_.fetch_add(1); }
  /// Says that one fewer is. Where it was the last one that could have given memory back, steps that wait are made
  /// again, or fail.
  void end_work();
  /// Says that a step has come through, or that a task has ended.
  void note_progress();
  /// Says that a consumer of its rows is at something else than waiting for more: it will give back what it took.
  void begin_consuming() { num_consuming_.fetch_add(1); }
  /// Says that it waits for more, or wants none.
  void end_consuming();
  /// Says that nobody waits for an event any more, if a step was to have memory when it fires.
  void forget(const execution::EventPtr& event);

  /// A step of a query, as long as its thread makes it: within another one where that has started it, as a stage that
  /// can't be made starts what waits for its end.
  class StepScope {
   public:
    /// @param participant nullptr: the step does not wait for memory
    explicit StepScope(Participant* participant);
    StepScope(const StepScope&) = delete;
    StepScope& operator=(const StepScope&) = delete;
    ~StepScope();

    /// Has the event of what the step has thrown wait for memory. Called once nothing is left of the step.
    /// @param retries of the step's task; nullptr: it has not waited before
    void wait(const memory::MemoryWait& wait, std::shared_ptr<Retries>& retries) const;

   private:
    friend class Arbiter;

    /// Returns the bytes that it has reserved and still holds.
    int64_t held_bytes() const { return memory::Budget::reserved_by_thread() - bytes_before_; }

    Participant* const participant_;
    StepScope* const outer_;
    const int64_t bytes_before_;
  };

 private:
  friend class Arbiter;

  Arbiter& arbiter_;
  const std::shared_ptr<memory::Budget> budget_;
  std::atomic<int64_t> num_at_work_{0};
  std::atomic<int64_t> num_consuming_{0};
  /// Its steps that would wait fail instead, until one comes through.
  std::atomic<bool> must_yield_{false};
};

/// Decides which steps wait for memory that others hold, and which fail so that others go on.
///
/// A step waits as long as there is somebody at work who may give memory back: of the exhausted budget's query, or of
/// any query where all of them have too little, and what the others have would be enough. It is made again when there
/// is room for all that it had asked for, but only once an epoch, which lasts until a step comes through or a task
/// ends: steps that give back what they took in vain would wake each other for ever. When nobody is at work, those that
/// wait and have room are made again one after the other. When that was in vain too, of the queries that wait the
/// youngest yields: its steps are made again, and those that still lack memory fail. A query waits for the consumers of
/// its own rows too, as long as they do not wait for it; no other does. So somebody is at work or consumes, or nobody
/// waits, and as each that yields either goes on or ends, no set of queries waits for itself.
class Arbiter final : public memory::MemoryArbiter {
 public:
  /// Lets a query take part, younger than all before.
  /// @param budget the query's
  std::shared_ptr<Participant> join(std::shared_ptr<memory::Budget> budget);

  void judge(memory::Budget& exhausted, int64_t bytes) override;
  void note_release(memory::Budget& budget) noexcept override;

 private:
  friend class Participant;

  struct Waiter {
    Participant* participant;
    memory::Budget* exhausted;
    int64_t bytes;
    std::shared_ptr<Retries> retries;
    execution::EventPtr event;
  };
  using Events = std::vector<execution::EventPtr>;

  void enter(Participant& participant);
  void leave(Participant& participant);
  void add(Waiter waiter);
  void forget(const execution::EventPtr& event);
  void begin_epoch();
  /// Goes on with steps that wait where nobody is at work whom they wait for.
  void resolve();
  /// Fires the events of waiters that were taken, without the lock, as what is woken may end at once; then it resolves.
  void fire(std::unique_lock<std::mutex>& lock, Events events);
  // The next ones are called under the lock.
  bool is_due(const Waiter& waiter) const;
  bool anybody_at_work() const;
  /// Says whether a query's steps wait for nobody but itself, and none of its tasks is at work.
  bool waits_for_itself(const Participant& one) const;
  /// Takes steps for which nobody is at work whom they wait for: one that can be made alone, or all of the query that
  /// is to yield. Empty: there is none, or each may wait for its consumer.
  Events take_stuck();
  template <class IsStuck>
  Events take_one_or_yield(const IsStuck& is_stuck);
  /// Takes the waiters of which `is_taken` is true, whose events are to fire.
  template <class IsTaken>
  Events take(const IsTaken& is_taken);

  std::mutex mutex_;
  std::vector<Participant*> participants_;  ///< by age
  std::list<Waiter> waiters_;
  std::atomic<bool> has_waiters_{false};
  uint64_t epoch_ = 1;
  int num_firing_ = 0;  ///< threads that fire events; whose they are is at work once they have fired
};

}  // namespace accelerant::runtime
