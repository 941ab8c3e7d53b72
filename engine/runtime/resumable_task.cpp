#include "runtime/resumable_task.h"

#include <utility>

namespace accelerant::runtime {

ResumableTask::ResumableTask(Scheduler& scheduler, std::shared_ptr<Participant> participant)
    : scheduler_(scheduler), participant_(std::move(participant)) {
  if (participant_) participant_->begin_work();
}

ResumableTask::~ResumableTask() {
  const bool is_idle = parked_ && !stays_at_work_;
  if (participant_ && !is_idle && !has_ended_) participant_->end_work();
}

void ResumableTask::wake() {
  if (!parked_.exchange(false, std::memory_order_acq_rel)) return;
  if (participant_ && !stays_at_work_) participant_->begin_work();
  if (const auto event = waits_for_.lock(); event && participant_) participant_->forget(event);
  scheduler_.submit(shared_from_this());
}

void ResumableTask::end_work() {
  if (!participant_ || std::exchange(has_ended_, true)) return;
  participant_->note_progress();
  participant_->end_work();
}

}  // namespace accelerant::runtime
