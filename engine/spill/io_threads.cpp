#include "spill/io_threads.h"

#include <pthread.h>
#include <string>
#include <utility>

namespace accelerant::spill {

namespace {

/// Enough to keep a fast disk busy, with blocks as large as ours.
constexpr int kThreads = 4;

}  // namespace

IoThreads::IoThreads(int num_threads) {
  for (int i = 0; i < num_threads; ++i) {
    threads_.emplace_back([this] { run(); });
    pthread_setname_np(threads_.back().native_handle(), ("accelerant-io-" + std::to_string(i)).c_str());
  }
}

IoThreads::~IoThreads() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void IoThreads::submit(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  wake_.notify_one();
}

void IoThreads::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return ends_ || !queue_.empty(); });
    if (queue_.empty()) return;
    std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
  }
}

IoThreads& process_io_threads() {
  static auto* threads = new IoThreads(kThreads);
  return *threads;
}

}  // namespace accelerant::spill
