#include "memory/memory_wait.h"

#include "base/error.h"
#include "memory/budget.h"

namespace accelerant::memory {

thread_local int WithoutWaiting::depth_ = 0;

Error error_without_wait(const std::string& asker) {
  return Error(ErrorKind::Resource, "out of memory: " + asker + " would have to wait for it, and can't")
      .with_class(kOutOfBudget);
}

}  // namespace accelerant::memory
