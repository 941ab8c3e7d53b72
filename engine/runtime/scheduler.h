#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>

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
/// A task may call code that is not the engine's and may sleep, within an OutsideCall. Where such a call takes long,
/// another thread does the worker's work meanwhile.
class Scheduler {
 public:
  explicit Scheduler(int num_threads);
  /// Stops the threads after their current slices, also those in calls outside; tasks still queued are dropped.
  ~Scheduler();

  /// Code that is not the engine's, called by the thread that makes this, until it goes.
  class OutsideCall {
   public:
    explicit OutsideCall(Scheduler& scheduler);
    OutsideCall(const OutsideCall&) = delete;
    OutsideCall& operator=(const OutsideCall&) = delete;
    ~OutsideCall();

   private:
    friend class Scheduler;
    Scheduler& scheduler_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    bool is_replaced_ = false;
  };

  /// Replaces workers whose calls outside take long. Somebody who waits for results calls it now and then.
  void replace_absent();

  /// Queues a task. It must not be queued already.
  void submit(std::shared_ptr<Task> task);
  /// Grows or shrinks to `num_threads`; running slices end first, but for calls outside that take long.
  void resize(int num_threads);
  int num_threads() const;

 private:
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
  std::set<OutsideCall*> calls_;
  int wanted_threads_ = 0;
  int num_started_ = 0;  ///< threads, for their names
  int num_live_ = 0;     ///< threads that have not ended
  int num_absent_ = 0;   ///< of these, threads that others stand in for
  int num_running_ = 0;  ///< slices
};

}  // namespace accelerant::runtime
