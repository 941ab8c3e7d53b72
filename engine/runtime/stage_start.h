#pragma once

#include "execution/context.h"
#include "runtime/attempts.h"
#include "runtime/resumable_task.h"

#include <cstdint>
#include <functional>

namespace accelerant::runtime {

/// Makes and starts the pipeline of a stage. It begins where it is called; where memory has to be waited for it begins
/// anew, on a worker, when there may be some.
class StageStart final : public ResumableTask {
 public:
  /// @param cancellation has it begin anew at once where it waits and is woken
  /// @param interruptions seed of what interrupts it, for tests (Attempts); 0: nothing does
  /// @param start leaves nothing behind where it throws memory::MemoryWait, and throws nothing else; holds what it
  /// needs, the cancellation included
  StageStart(Scheduler& scheduler, std::shared_ptr<Participant> participant,
             const execution::Cancellation& cancellation, uint64_t interruptions, std::function<void()> start);

  bool run_slice() override;

 private:
  const execution::Cancellation& cancellation_;
  const std::function<void()> start_;
  Attempts attempts_;
};

}  // namespace accelerant::runtime
