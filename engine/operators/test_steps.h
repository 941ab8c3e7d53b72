#pragma once

#include "execution/event.h"
#include "memory/memory_wait.h"
#include "memory/reservation_probe.h"
#include "operators/operator.h"

#include <cstdint>

/// Calls steps as a query whose memory is short would: only tests include this.
namespace accelerant::operators::test {

/// Which reservation is to wait after one: of many some.
inline int64_t next_to_wait(int64_t reservation) {
  constexpr int64_t kAll = 16;
  return reservation + 1 + reservation / kAll;
}

/// Calls a step until it comes through, after it had to wait at its first reservation, at its second one, and so on; of
/// many reservations at some. Returns what it says.
template <class Call>
auto insist(const Call& call) {
  for (int64_t reservation = 0;; reservation = next_to_wait(reservation)) {
    try {
      const memory::ReservationProbe probe(reservation, nullptr);
      return call();
    } catch (const memory::MemoryWait&) {
    }
  }
}

/// Does so until the step does not have to wait for a disk or other workers either. Where it begins anew after a wait
/// for memory, it has to come through all of it: which reservation waits is not counted from the first again.
template <class Call>
Step insist_to_end(const Call& call) {
  for (int64_t reservation = 0;;) {
    try {
      const memory::ReservationProbe probe(reservation, nullptr);
      Step step = call();
      if (step.kind != Step::Kind::Suspended) return step;
      execution::wait_for(step.event);
    } catch (const memory::MemoryWait&) {
      reservation = next_to_wait(reservation);
    }
  }
}

}  // namespace accelerant::operators::test
