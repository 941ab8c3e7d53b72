#pragma once

#include "execution/context.h"
#include "runtime/arbiter.h"
#include "runtime/scheduler.h"

#include <memory>

namespace accelerant::runtime {

/// Something that can be stopped from outside, whoever owns it.
class Stoppable {
 public:
  virtual ~Stoppable() = default;
  virtual void cancel() = 0;
};

/// Returns the process's scheduler, started on first use with one thread a core. Never destroyed: at process exit other
/// threads may still be inside the engine.
Scheduler& scheduler();

/// Returns who decides which steps wait for memory of the process's budget. Never destroyed, likewise.
Arbiter& arbiter();

/// Remembers `stoppable`, so that shutting down cancels it while it lives.
/// @throws Error Cancelled after `shut_down`
void register_stoppable(const std::shared_ptr<Stoppable>& stoppable);

/// Cancels everything registered and stops the scheduler's threads. Later registrations fail.
void shut_down();

}  // namespace accelerant::runtime
