#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

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
class Scheduler {
 public:
  explicit Scheduler(int num_threads);
  /// Stops the threads after their current slices; tasks still queued are dropped.
  ~Scheduler();

  /// Queues a task. It must not be queued already.
  void submit(std::shared_ptr<Task> task);
  /// Grows or shrinks to `num_threads`; running slices end first.
  void resize(int num_threads);
  int num_threads() const;

 private:
  void work(int index);
  /// Waits for a task, or until there are too many threads for this one. Called under `lock`.
  void wait_for_work(std::unique_lock<std::mutex>& lock, int index);
  void join_all();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Task>> queue_;
  std::vector<std::thread> threads_;
  int wanted_threads_ = 0;
  int num_running_ = 0;  ///< slices
};

}  // namespace accelerant::runtime
