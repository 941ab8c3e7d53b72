#include "runtime/resumable_task.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace accelerant::runtime {
namespace {

using execution::Event;
using execution::EventPtr;

/// Waits for one event after the other, a slice each.
class Waiting final : public ResumableTask {
 public:
  /// @param is_stale what its slices suspend with
  Waiting(Scheduler& scheduler, std::vector<EventPtr> events, bool is_stale = false)
      : ResumableTask(scheduler, nullptr), events_(std::move(events)), is_stale_(is_stale) {}

  bool run_slice() override {
    const size_t slice = num_slices_++;
    if (slice == events_.size()) {
      ended_.set_value();
      return false;
    }
    const EventPtr event = std::exchange(events_[slice], nullptr);
    suspend(event, [is_stale = is_stale_] { return is_stale; });
    return false;
  }

  /// Waits until so many slices have begun.
  void await_slices(size_t num_slices) const {
    while (num_slices_ < num_slices) std::this_thread::yield();
  }
  bool ends() { return ended_.get_future().wait_for(std::chrono::seconds(60)) == std::future_status::ready; }
  size_t num_slices() const { return num_slices_; }

 private:
  std::vector<EventPtr> events_;
  const bool is_stale_;
  std::atomic<size_t> num_slices_{0};
  std::promise<void> ended_;
};

TEST(ResumableTask, GoesOnWhenItsEventFires) {
  const std::vector<EventPtr> events = {std::make_shared<Event>(), std::make_shared<Event>(true)};
  Scheduler scheduler(2);
  const auto task = std::make_shared<Waiting>(scheduler, events);
  scheduler.submit(task);
  for (size_t i = 0; i < events.size(); ++i) {
    task->await_slices(i + 1);
    EXPECT_EQ(task->num_slices(), i + 1) << "went on before";
    events[i]->fire();
  }
  EXPECT_TRUE(task->ends());
}

TEST(ResumableTask, GoesOnAtOnceWhereItsEventHasFired) {
  const auto event = std::make_shared<Event>();
  event->fire();
  Scheduler scheduler(1);
  const auto task = std::make_shared<Waiting>(scheduler, std::vector<EventPtr>{event, event});
  scheduler.submit(task);
  EXPECT_TRUE(task->ends());
}

TEST(ResumableTask, GoesOnWhereWhatWouldHaveWokenItCameBefore) {
  Scheduler scheduler(1);
  const auto task = std::make_shared<Waiting>(scheduler, std::vector<EventPtr>{std::make_shared<Event>()}, true);
  scheduler.submit(task);
  EXPECT_TRUE(task->ends());
}

TEST(ResumableTask, IsQueuedOnceHoweverManyWakeIt) {
  const auto event = std::make_shared<Event>();
  Scheduler scheduler(3);
  const auto task = std::make_shared<Waiting>(scheduler, std::vector<EventPtr>{event});
  task->wake();  // it is not suspended yet
  scheduler.submit(task);
  task->await_slices(1);
  std::vector<std::future<void>> wakers;
  for (int i = 0; i < 4; ++i) wakers.push_back(std::async(std::launch::async, [&] { task->wake(); }));
  event->fire();
  for (auto& waker : wakers) waker.get();
  EXPECT_TRUE(task->ends());
  EXPECT_EQ(task->num_slices(), 2);
}

TEST(ResumableTask, GoesWithTheEventThatNobodyFires) {
  auto event = std::make_shared<Event>();
  Scheduler scheduler(1);
  std::weak_ptr<Waiting> task;
  {
    const auto made = std::make_shared<Waiting>(scheduler, std::vector<EventPtr>{event});
    task = made;
    scheduler.submit(made);
    made->await_slices(1);
  }
  event.reset();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!task.expired() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_TRUE(task.expired());
}

}  // namespace
}  // namespace accelerant::runtime
