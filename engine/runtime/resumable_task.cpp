#include "runtime/resumable_task.h"

namespace accelerant::runtime {

void ResumableTask::wake() {
  if (parked_.exchange(false, std::memory_order_acq_rel)) scheduler_.submit(shared_from_this());
}

}  // namespace accelerant::runtime
