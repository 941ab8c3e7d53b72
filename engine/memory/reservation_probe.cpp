#include "memory/reservation_probe.h"

#include "base/error.h"

#include <utility>

namespace accelerant::memory {

namespace {

thread_local ReservationProbe* probe_of_thread = nullptr;

}  // namespace

ReservationProbe::ReservationProbe(int64_t index, std::shared_ptr<execution::Event> event)
    : left_(index), event_(std::move(event)) {
  ACC_CHECK(!probe_of_thread);
  probe_of_thread = this;
}

ReservationProbe::~ReservationProbe() { probe_of_thread = nullptr; }

void ReservationProbe::note() {
  if (probe_of_thread && probe_of_thread->left_-- == 0) throw MemoryWait{probe_of_thread->event_};
}

}  // namespace accelerant::memory
