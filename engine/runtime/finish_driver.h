#pragma once

#include "runtime/attempts.h"
#include "runtime/pipeline.h"
#include "runtime/resumable_task.h"

#include <cstdint>
#include <memory>

namespace accelerant::runtime {

/// Completes the result of a run's sink for one worker, a step a slice: finishes it, if nobody has, and runs finish
/// tasks as long as there are any.
class FinishDriver final : public ResumableTask {
 public:
  /// @param finishes whether it begins with the sink's `finish`; else with a finish task
  FinishDriver(std::shared_ptr<PipelineRun> run, bool finishes, uint64_t seed);

  bool run_slice() override;

 private:
  operators::Step step();
  /// Takes what comes next; returns false, and leaves the run, where nothing does.
  bool go_on();
  bool end();

  std::shared_ptr<PipelineRun> run_;
  bool finishes_;
  int64_t task_;
  Attempts attempts_;
};

}  // namespace accelerant::runtime
