#include "runtime/scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>
#include <utility>

namespace accelerant::runtime {
namespace {

/// Runs a function in one slice.
class Once final : public Task {
 public:
  explicit Once(std::function<void()> work) : work_(std::move(work)) {}
  bool run_slice() override {
    work_();
    return false;
  }

 private:
  const std::function<void()> work_;
};

/// A call outside that lasts until it is released.
struct LongCall {
  std::promise<void> started;
  std::promise<void> release;
  std::shared_ptr<Task> task() {
    return std::make_shared<Once>([this] {
      const execution::OutsideCall outside;
      started.set_value();
      release.get_future().wait();
    });
  }
};

TEST(Scheduler, RunsTasks) {
  std::atomic<int> runs{0};
  {
    Scheduler scheduler(3);
    std::promise<void> last;
    for (int i = 0; i < 100; ++i) {
      scheduler.submit(std::make_shared<Once>([&] {
        if (++runs == 100) last.set_value();
      }));
    }
    last.get_future().wait();
  }
  EXPECT_EQ(runs, 100);
}

TEST(Scheduler, RunsTheNextTaskOnTheSameWorker) {
  Scheduler scheduler(2);
  std::promise<std::pair<std::thread::id, std::thread::id>> workers;
  std::promise<void> other_ran;
  scheduler.submit_next(std::make_shared<Once>([&] {  // of no worker
    const std::thread::id worker = std::this_thread::get_id();
    scheduler.submit_next(std::make_shared<Once>([&, worker] {
      other_ran.get_future().wait();
      workers.set_value({worker, std::this_thread::get_id()});
    }));
    // The other worker runs it, while the first one waits for it.
    scheduler.submit_next(std::make_shared<Once>([&] { other_ran.set_value(); }));
  }));
  const auto [before, after] = workers.get_future().get();
  EXPECT_EQ(before, after);
}

TEST(Scheduler, ReplacesWorkersThatAreInLongCallsOutside) {
  Scheduler scheduler(2);
  LongCall first;
  LongCall second;
  scheduler.submit(first.task());
  scheduler.submit(second.task());
  first.started.get_future().wait();
  second.started.get_future().wait();
  std::promise<void> done;
  scheduler.submit(std::make_shared<Once>([&] { done.set_value(); }));
  const std::future<void> is_done = done.get_future();
  while (is_done.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) scheduler.replace_absent();
  first.release.set_value();
  second.release.set_value();
}

TEST(Scheduler, HasItsThreadsAgainWhenCallsEnd) {
  Scheduler scheduler(1);
  for (int round = 0; round < 3; ++round) {
    LongCall call;
    scheduler.submit(call.task());
    call.started.get_future().wait();
    std::promise<void> meanwhile;
    scheduler.submit(std::make_shared<Once>([&] { meanwhile.set_value(); }));
    const std::future<void> is_done = meanwhile.get_future();
    while (is_done.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) scheduler.replace_absent();
    call.release.set_value();
    std::promise<void> afterwards;
    scheduler.submit(std::make_shared<Once>([&] { afterwards.set_value(); }));
    afterwards.get_future().wait();
  }
}

TEST(Scheduler, LeavesLongCallsBehindWhenItShrinks) {
  Scheduler scheduler(2);
  LongCall call;
  scheduler.submit(call.task());
  call.started.get_future().wait();
  scheduler.resize(0);
  EXPECT_EQ(scheduler.num_threads(), 0);
  call.release.set_value();
}

}  // namespace
}  // namespace accelerant::runtime
