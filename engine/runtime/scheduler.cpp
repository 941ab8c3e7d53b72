#include "runtime/scheduler.h"

#include "memory/blocks.h"

#include <chrono>
#include <cstdint>
#include <pthread.h>
#include <utility>

namespace accelerant::runtime {

namespace {

/// Of work that comes in a row, such as a notebook's queries, the next one begins sooner.
constexpr std::chrono::seconds kIdle{5};
/// What small queries need.
constexpr int64_t kKeptWhenIdle = 64 << 20;

}  // namespace

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

void Scheduler::wait_for_work(std::unique_lock<std::mutex>& lock, int index) {
  const auto has_work = [&] { return index >= wanted_threads_ || !queue_.empty(); };
  if (index > 0) return wake_.wait(lock, has_work);
  // Again and again: results that nobody works on may be given up at any time.
  while (!wake_.wait_for(lock, kIdle, has_work)) {
    if (num_running_ > 0) continue;
    lock.unlock();
    memory::process_blocks().release_kept(kKeptWhenIdle);
    lock.lock();
  }
}

void Scheduler::work(int index) {
  std::unique_lock lock(mutex_);
  while (true) {
    wait_for_work(lock, index);
    if (index >= wanted_threads_) return;
    auto task = std::move(queue_.front());
    queue_.pop_front();
    ++num_running_;
    lock.unlock();
    if (!task->run_slice()) task.reset();
    lock.lock();
    --num_running_;
    if (task) queue_.push_back(std::move(task));
  }
}

}  // namespace accelerant::runtime
