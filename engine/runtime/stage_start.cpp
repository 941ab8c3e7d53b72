#include "runtime/stage_start.h"

#include <utility>

namespace accelerant::runtime {

using operators::Step;

StageStart::StageStart(Scheduler& scheduler, std::shared_ptr<Participant> participant,
                       const execution::Cancellation& cancellation, uint64_t interruptions, std::function<void()> start)
    : ResumableTask(scheduler, std::move(participant)),
      cancellation_(cancellation),
      start_(std::move(start)),
      attempts_(interruptions, this->participant()) {}

bool StageStart::run_slice() {
  const Step made = attempts_.make([this] {
    start_();
    return Step::finished();
  });
  if (made.kind == Step::Kind::Suspended) {
    suspend(made.event, [this] { return cancellation_.is_cancelled(); });
  } else {
    end_work();
  }
  return false;
}

}  // namespace accelerant::runtime
