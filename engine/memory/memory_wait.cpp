#include "memory/memory_wait.h"

#include "base/error.h"
#include "memory/budget.h"

namespace accelerant::memory {

namespace {

/// How many WithoutWaiting live in a thread.
thread_local int num_without_waiting = 0;

}  // namespace

WithoutWaiting::WithoutWaiting() { ++num_without_waiting; }
WithoutWaiting::~WithoutWaiting() { --num_without_waiting; }
bool WithoutWaiting::is_on() { return num_without_waiting > 0; }

Error error_without_wait(const std::string& asker) {
  return Error(ErrorKind::Resource, "out of memory: " + asker + " would have to wait for it, and can't")
      .with_class(kOutOfBudget);
}

}  // namespace accelerant::memory
