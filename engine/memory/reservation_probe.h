#pragma once

#include "memory/memory_wait.h"

#include <cstdint>
#include <memory>

namespace accelerant::memory {

/// For tests: has one of the reservations that its thread makes while it lives wait, as if memory were short. One a
/// thread at a time.
class ReservationProbe {
 public:
  /// @param index which reservation throws MemoryWait, counted from 0
  /// @param event what it says to wait for
  ReservationProbe(int64_t index, std::shared_ptr<execution::Event> event);
  ReservationProbe(const ReservationProbe&) = delete;
  ReservationProbe& operator=(const ReservationProbe&) = delete;
  ~ReservationProbe();

  /// Counts a reservation of this thread's probe, if it has one.
  /// @throws MemoryWait where it is the one that waits
  static void note();

 private:
  int64_t left_;  ///< reservations before the one that waits
  const std::shared_ptr<execution::Event> event_;
};

}  // namespace accelerant::memory
