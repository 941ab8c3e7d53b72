#pragma once

#include "execution/event.h"
#include "memory/budget.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::runtime {

class Arbiter;

/// A query among those whose steps may wait for memory. Any thread.
class Participant {
 public:
  Participant(Arbiter& arbiter, std::shared_ptr<memory::Budget> budget);
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;
  ~Participant();

  /// Says that one more of its tasks is at work: it runs, is queued to run, or waits for what comes without any task.
  void begin_work() { num_at_work_.fetch_add(1); }
  /// Says that one fewer is. Where it was the last one that could have given memory back, steps that wait fail.
  void end_work();

  /// A step of a query, as long as its thread makes it: within another one where that has started it, as a stage that
  /// can't be made starts what waits for its end.
  class StepScope {
   public:
    /// @param participant nullptr: the step does not wait for memory
    explicit StepScope(Participant* participant);
    StepScope(const StepScope&) = delete;
    StepScope& operator=(const StepScope&) = delete;
    ~StepScope();

   private:
    Participant* const outer_;
  };

 private:
  friend class Arbiter;

  Arbiter& arbiter_;
  const std::shared_ptr<memory::Budget> budget_;
  std::atomic<int64_t> num_at_work_{0};
  bool must_yield_ = false;  ///< its next step that would wait fails instead; under the arbiter's lock
};

/// Decides which steps wait for memory that others hold, and which fail so that others go on.
///
/// A step waits as long as there is somebody at work who may give memory back: of the exhausted budget's query, or of
/// any query where all of them have too little. When there is none, of the queries that wait the youngest yields: its
/// steps are made again, and the first that still lacks memory fails. So somebody is at work or nobody waits, and as
/// each that yields either goes on or ends, no set of queries waits for itself.
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
    execution::EventPtr event;
  };

  void enter(Participant& participant);
  void leave(Participant& participant);
  /// Has queries yield where nobody is at work whom others wait for.
  void resolve(const Participant& idle);
  using Events = std::vector<execution::EventPtr>;
  // The next ones are called under the lock.
  bool anybody_at_work() const;
  /// Returns who has to yield now that a query is idle; nullptr: nobody.
  Participant* who_yields(const Participant& idle) const;
  /// Takes the waiters of which `is_due` is true. Their events fire without the lock: what is woken may end at once.
  template <class IsDue>
  Events take(const IsDue& is_due);

  std::mutex mutex_;
  std::vector<Participant*> participants_;  ///< by age
  std::list<Waiter> waiters_;
  std::atomic<bool> has_waiters_{false};
};

}  // namespace accelerant::runtime
