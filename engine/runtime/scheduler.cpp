#include "runtime/scheduler.h"

#include <pthread.h>
#include <utility>

namespace accelerant::runtime {

Scheduler::Scheduler(int num_threads) { resize(num_threads); }

Scheduler::~Scheduler() { join_all(); }

void Scheduler::submit(std::shared_ptr<Task> task) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void Scheduler::resize(int num_threads) {
  if (num_threads == this->num_threads()) return;
  join_all();
  std::lock_guard lock(mutex_);
  wanted_threads_ = num_threads;
  for (int i = 0; i < num_threads; ++i) {
    threads_.emplace_back([this, i] { work(i); });
    pthread_setname_np(threads_.back().native_handle(), ("accelerant-" + std::to_string(i)).c_str());
  }
}

int Scheduler::num_threads() const {
  std::lock_guard lock(mutex_);
  return wanted_threads_;
}

void Scheduler::join_all() {
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    wanted_threads_ = 0;
    threads.swap(threads_);
  }
  wake_.notify_all();
  for (auto& thread : threads) thread.join();
}

void Scheduler::work(int index) {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return index >= wanted_threads_ || !queue_.empty(); });
    if (index >= wanted_threads_) return;
    auto task = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    if (!task->run_slice()) task.reset();
    lock.lock();
    if (task) queue_.push_back(std::move(task));
  }
}

}  // namespace accelerant::runtime
