#include "execution/step_timer.h"

#include "execution/context.h"

#include <gtest/gtest.h>

#include <thread>
#include <time.h>

namespace accelerant::execution {
namespace {

/// Computes until the thread has taken so much CPU time.
void work(int64_t nanos) {
  const auto now = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1'000'000'000L + time.tv_nsec;
  };
  for (const int64_t end = now() + nanos; now() < end;) {
  }
}

constexpr int64_t kMilli = 1'000'000;

TEST(StepTimer, AddsUpTimeAndKeepsTheLongestStep) {
  Metrics metrics;
  for (const int64_t millis : {2, 6, 3}) {
    const StepTimer timer(metrics);
    work(millis * kMilli);
  }
  EXPECT_GE(metrics.cpu_nanos, 11 * kMilli);
  EXPECT_GE(metrics.longest_step_nanos, 6 * kMilli);
  EXPECT_LE(metrics.longest_step_nanos, metrics.cpu_nanos - 5 * kMilli);
}

TEST(StepTimer, BeginsAnotherStretchWhereCancellationIsLookedAt) {
  Metrics metrics;
  const Cancellation cancellation;
  {
    const StepTimer timer(metrics);
    work(4 * kMilli);
    cancellation.check();
    work(4 * kMilli);
    EXPECT_FALSE(cancellation.is_cancelled());
    work(4 * kMilli);
  }
  EXPECT_GE(metrics.longest_step_nanos, 4 * kMilli);
  EXPECT_LE(metrics.longest_step_nanos, metrics.cpu_nanos - 8 * kMilli);
}

TEST(StepTimer, CountsAStretchThatEndsInACancellation) {
  Metrics metrics;
  Cancellation cancellation;
  cancellation.cancel();
  const auto step = [&] {
    const StepTimer timer(metrics);
    work(kMilli);
    cancellation.check();
  };
  EXPECT_ANY_THROW(step());
  EXPECT_GE(metrics.longest_step_nanos, kMilli);
}

TEST(StepTimer, LooksElsewhereMeanNothingToAStep) {
  Metrics metrics;
  const Cancellation cancellation;
  cancellation.check();
  {
    const StepTimer timer(metrics);
    work(2 * kMilli);
    std::jthread([&] { cancellation.check(); }).join();
    work(2 * kMilli);
  }
  EXPECT_GE(metrics.longest_step_nanos, 4 * kMilli);
}

TEST(StepTimer, GivesAStepWithinAnotherItsOwnStretch) {
  Metrics outer;
  Metrics inner;
  const Cancellation cancellation;
  {
    const StepTimer timer(outer);
    work(kMilli);
    {
      const StepTimer within(inner);
      work(4 * kMilli);
    }
    cancellation.check();
  }
  EXPECT_GE(inner.longest_step_nanos, 4 * kMilli);
  EXPECT_GE(outer.cpu_nanos, 5 * kMilli);
  EXPECT_LE(outer.longest_step_nanos, outer.cpu_nanos - 4 * kMilli);
}

}  // namespace
}  // namespace accelerant::execution
