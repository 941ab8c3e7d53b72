#pragma once

#include "memory/memory_wait.h"
#include "memory/reservation_probe.h"
#include "operators/operator.h"
#include "runtime/arbiter.h"

#include <cstdint>
#include <memory>
#include <random>

namespace accelerant::runtime {

/// Makes the steps of one task, and turns a wait for memory into a suspended step.
///
/// With a seed, for tests, it has every step wait: first before it is called, then at its first reservation, at its
/// second one, and so on until it comes through; of many reservations at some, by chance.
class Attempts {
 public:
  /// @param seed 0: steps wait only where they have to
  /// @param participant whose steps they are; nullptr: none of them waits for memory, but as the seed has it
  explicit Attempts(uint64_t seed, Participant* participant = nullptr)
      : interrupts_(seed != 0), participant_(participant), random_(seed) {}

  /// Calls `step`, which is asked again after a Suspended.
  template <class Call>
  operators::Step make(const Call& step) {
    const Participant::StepScope scope(participant_);
    try {
      operators::Step made = interrupts_ ? interrupt(step) : step();
      if (participant_ && made.kind != operators::Step::Kind::Suspended) participant_->note_progress();
      return made;
    } catch (const memory::MemoryWait& wait) {
      scope.wait(wait, retries_);
      return operators::Step::suspended(wait.event);
    }
  }

 private:
  template <class Call>
  operators::Step interrupt(const Call& step) {
    if (reservation_ == kNotAtAll) {
      reservation_ = 0;
      return operators::Step::suspended(fired_event());
    }
    try {
      const memory::ReservationProbe probe(reservation_, fired_event());
      operators::Step made = step();
      if (made.kind != operators::Step::Kind::Suspended) reservation_ = kNotAtAll;
      return made;
    } catch (const memory::MemoryWait&) {
      go_on();
      throw;
    }
  }

  static execution::EventPtr fired_event();
  /// Goes to the reservation that is to wait next.
  void go_on();

  static constexpr int64_t kNotAtAll = -1;

  const bool interrupts_;
  Participant* const participant_;
  std::shared_ptr<Retries> retries_;
  std::minstd_rand random_;
  int64_t reservation_ = kNotAtAll;  ///< the one of the step that waits next
};

}  // namespace accelerant::runtime
