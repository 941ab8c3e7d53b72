#pragma once

#include "execution/event.h"
#include "memory/memory_wait.h"
#include "memory/reservation_probe.h"
#include "operators/operator.h"

#include <cstdint>

/// Calls steps as a query whose memory is short would: only tests include this.
namespace accelerant::operators::test {

/// Calls a step until it comes through, after it had to wait at its first reservation, at its second one, and so on; of
/// many reservations at some. Returns what it says.
template <class Call>
auto insist(const Call& call) {
  constexpr int64_t kAll = 16;
  for (int64_t reservation = 0;; reservation += 1 + reservation / kAll) {
    try {
      const memory::ReservationProbe probe(reservation, nullptr);
      return call();
    } catch (const memory::MemoryWait&) {
    }
  }
}

/// Does so until the step does not have to wait for a disk, a device or other workers either.
template <class Call>
Step insist_to_end(const Call& call) {
  Step step = insist(call);
  while (step.kind == Step::Kind::Suspended) {
    execution::wait_for(step.event);
    step = insist(call);
  }
  return step;
}

}  // namespace accelerant::operators::test
