#include "execution/step_timer.h"

#include "execution/context.h"

#include <time.h>

namespace accelerant::execution {

namespace {

/// The innermost of this thread; nullptr: it makes no step.
thread_local StepTimer* current = nullptr;

int64_t thread_cpu_nanos() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000L + time.tv_nsec;
}

}  // namespace

StepTimer::StepTimer(Metrics& metrics)
    : metrics_(metrics), outer_(current), start_nanos_(thread_cpu_nanos()), stretch_start_nanos_(start_nanos_) {
  if (outer_) outer_->end_stretch(start_nanos_);
  current = this;
}

StepTimer::~StepTimer() {
  const int64_t now_nanos = thread_cpu_nanos();
  metrics_.cpu_nanos.fetch_add(now_nanos - start_nanos_, std::memory_order_relaxed);
  end_stretch(now_nanos);
  if (outer_) outer_->stretch_start_nanos_ = now_nanos;
  current = outer_;
}

void StepTimer::end_stretch() {
  if (current) current->end_stretch(thread_cpu_nanos());
}

void StepTimer::end_stretch(int64_t now_nanos) {
  metrics_.count_stretch(now_nanos - stretch_start_nanos_);
  stretch_start_nanos_ = now_nanos;
}

}  // namespace accelerant::execution
