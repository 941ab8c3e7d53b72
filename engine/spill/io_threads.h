#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace accelerant::spill {

/// Threads that read and write spill files. What they are given reserves no memory and waits for nobody, so that they
/// always go on.
class IoThreads {
 public:
  explicit IoThreads(int num_threads);
  IoThreads(const IoThreads&) = delete;
  IoThreads& operator=(const IoThreads&) = delete;
  /// Ends when all that was submitted is done.
  ~IoThreads();

  /// Has a thread call `work`, which throws nothing. Any thread.
  void submit(std::function<void()> work);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

/// Returns those of the process, started on first use and never ended.
IoThreads& process_io_threads();

}  // namespace accelerant::spill
