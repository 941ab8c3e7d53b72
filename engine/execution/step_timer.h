#pragma once

#include <cstdint>

namespace accelerant::execution {

struct Metrics;

/// Times a step, or another piece of an operator's work, on the thread that makes it: adds the CPU time of its scope to
/// the node's counters, and keeps the longest stretch of it in which nobody looked whether the query was cancelled.
/// One may lie in another's scope, whose time it counts too, but whose stretch it ends.
class StepTimer {
 public:
  /// @param metrics of the plan node; outlives the timer
  explicit StepTimer(Metrics& metrics);
  StepTimer(const StepTimer&) = delete;
  StepTimer& operator=(const StepTimer&) = delete;
  ~StepTimer();

  /// Ends a stretch of the step that this thread makes, and begins another; does nothing where it makes none.
  /// Cancellation calls it at each look. It reads the thread's clock, a call of the system: looks belong between some
  /// thousand rows.
  static void end_stretch();

 private:
  void end_stretch(int64_t now_nanos);

  Metrics& metrics_;
  StepTimer* const outer_;
  const int64_t start_nanos_;
  int64_t stretch_start_nanos_;
};

}  // namespace accelerant::execution
