#include "execution/context.h"

#include "base/error.h"
#include "execution/step_timer.h"

namespace accelerant::execution {

bool Cancellation::is_cancelled() const {
  StepTimer::end_stretch();
  return cancelled_.load(std::memory_order_acquire);
}

void Cancellation::check() const {
  if (is_cancelled()) throw Error(ErrorKind::Cancelled, "the query was cancelled");
}

}  // namespace accelerant::execution
