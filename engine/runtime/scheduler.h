#pragma once

#include "execution/outside_call.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

namespace accelerant::runtime {

/// Work that a worker thread runs in slices.
class Task {
 public:
  virtual ~Task() = default;
  /// Runs for a few milliseconds at most. Returns true to be run again later, behind the others that wait.
  virtual bool run_slice() = 0;
};

/// The process's worker threads. Tasks of all queries take turns, so that none starves; a task runs on one thread at a
/// time. When there has been nothing to do for a while, memory that the engine keeps goes back to the system.
///
/// A task may call code that is not the engine's, or wait for a disk or a device, within an execution::OutsideCall.
/// Where such a call takes long, another thread does the worker's work meanwhile.
class Scheduler final : public execution::StandIn {
 public:
  explicit Scheduler(int num_threads);
  /// Stops the threads after their current slices, also those in calls outside; tasks still queued are dropped.
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  ~Scheduler();

  /// Replaces workers whose calls outside take long. Somebody who waits for results calls it now and then.
  void replace_absent();

  /// Queues a task. It must not be queued already.
  void submit(std::shared_ptr<Task> task);
  /// Likewise, of a task that follows on the slice that the calling thread is about to end: if that is a worker, it
  /// runs the task next, and wakes nobody.
  void submit_next(std::shared_ptr<Task> task);
  /// Grows or shrinks to `num_threads`; running slices end first, but for calls outside that take long.
  void resize(int num_threads);
  int num_threads() const;

 private:
  /// A call outside that a worker is in.
  struct Absence {
    std::chrono::steady_clock::time_point start;
    bool is_replaced;
  };

  void begin(const execution::OutsideCall& call) override;
  void end(const execution::OutsideCall& call) override;
  void start_thread();
  void work(bool releases_memory);
  /// Waits for a task, or until there are too many threads. Called under `lock`.
  void wait_for_work(std::unique_lock<std::mutex>& lock, bool releases_memory);
  /// Says whether a thread is one too many; the one that releases memory leaves last.
  bool is_surplus(bool releases_memory) const;
  /// Takes threads whose calls outside take long for absent; returns their number.
  int find_absent();
  /// Waits until no thread is left but, unless `all`, absent ones.
  void end_threads(bool all);

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable ended_;
  std::deque<std::shared_ptr<Task>> queue_;
  std::map<const execution::OutsideCall*, Absence> absences_;
  int wanted_threads_ = 0;
  int num_started_ = 0;  ///< threads, for their names
  int num_live_ = 0;     ///< threads that have not ended
  int num_absent_ = 0;   ///< of these, threads that others stand in for
  int num_running_ = 0;  ///< slices
};

}  // namespace accelerant::runtime
