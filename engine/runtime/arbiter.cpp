#include "runtime/arbiter.h"

#include "memory/memory_wait.h"

#include <algorithm>
#include <utility>

namespace accelerant::runtime {

namespace {

thread_local Participant* participant_of_step = nullptr;

void fire(const std::vector<execution::EventPtr>& events) {
  for (const execution::EventPtr& event : events) event->fire();
}

}  // namespace

Participant::StepScope::StepScope(Participant* participant) : outer_(std::exchange(participant_of_step, participant)) {}

Participant::StepScope::~StepScope() { participant_of_step = outer_; }

Participant::Participant(Arbiter& arbiter, std::shared_ptr<memory::Budget> budget)
    : arbiter_(arbiter), budget_(std::move(budget)) {
  arbiter_.enter(*this);
}

Participant::~Participant() { arbiter_.leave(*this); }

void Participant::end_work() {
  num_at_work_.fetch_sub(1);
  if (arbiter_.has_waiters_) arbiter_.resolve(*this);
}

std::shared_ptr<Participant> Arbiter::join(std::shared_ptr<memory::Budget> budget) {
  return std::make_shared<Participant>(*this, std::move(budget));
}

void Arbiter::enter(Participant& participant) {
  const std::lock_guard lock(mutex_);
  participants_.push_back(&participant);
}

void Arbiter::leave(Participant& participant) {
  Events events;
  {
    const std::lock_guard lock(mutex_);
    events = take([&](const Waiter& waiter) { return waiter.participant == &participant; });
    std::erase(participants_, &participant);
  }
  fire(events);
}

void Arbiter::judge(memory::Budget& exhausted, int64_t bytes) {
  Participant* const participant = participant_of_step;
  if (!participant) return;
  const auto event = std::make_shared<execution::Event>();
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(participant->must_yield_, false)) return;
    waiters_.push_back({participant, &exhausted, bytes, event});
    has_waiters_ = true;
    exhausted.add_waiter();
  }
  // Who gave something back before there was a waiter has told nobody.
  note_release(exhausted);
  throw memory::MemoryWait{event};
}

void Arbiter::note_release(memory::Budget& budget) noexcept {
  Events events;
  {
    const std::lock_guard lock(mutex_);
    events = take([&](const Waiter& waiter) { return waiter.exhausted == &budget && budget.has_room(waiter.bytes); });
  }
  fire(events);
}

template <class IsDue>
Arbiter::Events Arbiter::take(const IsDue& is_due) {
  Events events;
  for (auto waiter = waiters_.begin(); waiter != waiters_.end();) {
    if (!is_due(*waiter)) {
      ++waiter;
      continue;
    }
    waiter->exhausted->remove_waiter();
    events.push_back(std::move(waiter->event));
    waiter = waiters_.erase(waiter);
  }
  has_waiters_ = !waiters_.empty();
  return events;
}

bool Arbiter::anybody_at_work() const {
  return std::ranges::any_of(participants_, [](const Participant* one) { return one->num_at_work_ > 0; });
}

Participant* Arbiter::who_yields(const Participant& idle) const {
  // A query that lacks its own memory waits for nobody else.
  const auto lacks_its_own = [&](const Waiter& waiter) {
    return waiter.participant == &idle && waiter.exhausted == idle.budget_.get();
  };
  const auto lacking = std::ranges::find_if(waiters_, lacks_its_own);
  if (lacking != waiters_.end() && idle.num_at_work_ == 0) return lacking->participant;
  if (anybody_at_work()) return nullptr;
  const auto waits = [&](const Participant* one) {
    return std::ranges::any_of(waiters_, [&](const Waiter& waiter) { return waiter.participant == one; });
  };
  const auto youngest = std::find_if(participants_.rbegin(), participants_.rend(), waits);
  return youngest == participants_.rend() ? nullptr : *youngest;
}

// What is woken is at work once its event has fired. Of some that waited nobody may be left who makes the step again.
void Arbiter::resolve(const Participant& idle) {
  while (true) {
    Events events;
    {
      const std::lock_guard lock(mutex_);
      Participant* const yielding = who_yields(idle);
      if (!yielding) return;
      yielding->must_yield_ = true;
      events = take([&](const Waiter& waiter) { return waiter.participant == yielding; });
    }
    fire(events);
  }
}

}  // namespace accelerant::runtime
