#include "runtime/scheduler.h"

#include "memory/blocks.h"

#include <chrono>
#include <cstdint>
#include <pthread.h>
#include <string>
#include <thread>
#include <utility>

namespace accelerant::runtime {

namespace {

/// Of work that comes in a row, such as a notebook's queries, the next one begins sooner.
constexpr std::chrono::seconds kIdle{5};
/// What small queries need.
constexpr int64_t kKeptWhenIdle = 64 << 20;
/// How long a call outside may hold a worker.
constexpr std::chrono::milliseconds kPatience{50};

/// Where the worker that a thread is finds what it runs next.
struct NextTask {
  const Scheduler* scheduler = nullptr;  ///< whose worker it is; nullptr: it is none
  std::shared_ptr<Task> task;
};
thread_local NextTask next_of_thread;

}  // namespace

Scheduler::Scheduler(int num_threads) { resize(num_threads); }

Scheduler::~Scheduler() { end_threads(true); }

void Scheduler::begin(const execution::OutsideCall& call) {
  const Absence absence{std::chrono::steady_clock::now(), false};
  const std::lock_guard lock(mutex_);
  absences_.emplace(&call, absence);
}

void Scheduler::end(const execution::OutsideCall& call) {
  const std::lock_guard lock(mutex_);
  const auto ended = absences_.extract(&call);
  if (!ended.mapped().is_replaced) return;
  --num_absent_;
  wake_.notify_all();
}

int Scheduler::find_absent() {
  const auto before = std::chrono::steady_clock::now() - kPatience;
  int found = 0;
  for (auto& [call, absence] : absences_) {
    if (absence.is_replaced || absence.start > before) continue;
    absence.is_replaced = true;
    ++num_absent_;
    ++found;
  }
  return found;
}

void Scheduler::replace_absent() {
  const std::lock_guard lock(mutex_);
  if (absences_.empty()) return;
  const int absent = find_absent();
  for (int i = 0; i < absent && num_live_ - num_absent_ < wanted_threads_; ++i) start_thread();
}

void Scheduler::submit(std::shared_ptr<Task> task) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void Scheduler::submit_next(std::shared_ptr<Task> task) {
  if (next_of_thread.scheduler != this || next_of_thread.task) return submit(std::move(task));
  next_of_thread.task = std::move(task);
}

void Scheduler::start_thread() {
  std::thread thread([this, releases_memory = num_started_ == 0] { work(releases_memory); });
  ++num_live_;
  pthread_setname_np(thread.native_handle(), ("accelerant-" + std::to_string(num_started_++)).c_str());
  thread.detach();
}

void Scheduler::resize(int num_threads) {
  if (num_threads == this->num_threads()) return;
  end_threads(false);
  const std::lock_guard lock(mutex_);
  wanted_threads_ = num_threads;
  num_started_ = 0;
  for (int i = 0; i < num_threads; ++i) start_thread();
}

int Scheduler::num_threads() const {
  std::lock_guard lock(mutex_);
  return wanted_threads_;
}

void Scheduler::end_threads(bool all) {
  std::unique_lock lock(mutex_);
  wanted_threads_ = 0;
  wake_.notify_all();
  const auto has_ended = [&] { return num_live_ == (all ? 0 : num_absent_); };
  while (!ended_.wait_for(lock, kPatience, has_ended)) {
    if (!all) find_absent();
  }
}

bool Scheduler::is_surplus(bool releases_memory) const {
  return releases_memory ? wanted_threads_ == 0 : num_live_ - num_absent_ > wanted_threads_;
}

void Scheduler::wait_for_work(std::unique_lock<std::mutex>& lock, bool releases_memory) {
  const auto has_work = [&] { return is_surplus(releases_memory) || !queue_.empty(); };
  if (!releases_memory) return wake_.wait(lock, has_work);
  // Again and again: results that nobody works on may be given up at any time.
  while (!wake_.wait_for(lock, kIdle, has_work)) {
    if (num_running_ > 0) continue;
    lock.unlock();
    memory::process_blocks().release_kept(kKeptWhenIdle);
    lock.lock();
  }
}

void Scheduler::work(bool releases_memory) {
  execution::set_stand_in(this);
  next_of_thread.scheduler = this;
  std::unique_lock lock(mutex_);
  while (true) {
    if (next_of_thread.task) queue_.push_front(std::move(next_of_thread.task));
    wait_for_work(lock, releases_memory);
    if (is_surplus(releases_memory)) break;
    auto task = std::move(queue_.front());
    queue_.pop_front();
    ++num_running_;
    lock.unlock();
    if (!task->run_slice()) task.reset();
    lock.lock();
    --num_running_;
    if (task) queue_.push_back(std::move(task));
  }
  --num_live_;
  wake_.notify_one();  // what woke this thread may have been a task
  // Under the lock: the scheduler may go as soon as the last thread has let go of it.
  ended_.notify_all();
}

}  // namespace accelerant::runtime
