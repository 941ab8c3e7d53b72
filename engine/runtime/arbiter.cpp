#include "runtime/arbiter.h"

#include <algorithm>
#include <utility>

namespace accelerant::runtime {

namespace {

thread_local Participant::StepScope* step_of_thread = nullptr;

}  // namespace

Participant::StepScope::StepScope(Participant* participant)
    : participant_(participant),
      outer_(std::exchange(step_of_thread, this)),
      bytes_before_(memory::Budget::reserved_by_thread()) {}

Participant::StepScope::~StepScope() { step_of_thread = outer_; }

void Participant::StepScope::wait(const memory::MemoryWait& wait, std::shared_ptr<Retries>& retries) const {
  if (!wait.exhausted) return;
  if (!retries) retries = std::make_shared<Retries>();
  // What it has kept it need not ask for again.
  participant_->arbiter_.add({participant_, wait.exhausted, wait.bytes - held_bytes(), retries, wait.event});
}

Participant::Participant(Arbiter& arbiter, std::shared_ptr<memory::Budget> budget)
    : arbiter_(arbiter), budget_(std::move(budget)) {
  arbiter_.enter(*this);
}

Participant::~Participant() { arbiter_.leave(*this); }

void Participant::end_work() {
  num_at_work_.fetch_sub(1);
  if (arbiter_.has_waiters_) arbiter_.resolve();
}

void Participant::end_consuming() {
  num_consuming_.fetch_sub(1);
  if (arbiter_.has_waiters_) arbiter_.resolve();
}

void Participant::note_progress() {
  if (must_yield_.load(std::memory_order_relaxed)) must_yield_ = false;
  if (arbiter_.has_waiters_.load(std::memory_order_relaxed)) arbiter_.begin_epoch();
}

void Participant::forget(const execution::EventPtr& event) {
  if (arbiter_.has_waiters_ && !event->fired()) arbiter_.forget(event);
}

std::shared_ptr<Participant> Arbiter::join(std::shared_ptr<memory::Budget> budget) {
  return std::make_shared<Participant>(*this, std::move(budget));
}

void Arbiter::enter(Participant& participant) {
  const std::lock_guard lock(mutex_);
  participants_.push_back(&participant);
}

void Arbiter::leave(Participant& participant) {
  std::unique_lock lock(mutex_);
  std::erase(participants_, &participant);
  fire(lock, take([&](const Waiter& waiter) { return waiter.participant == &participant; }));
}

void Arbiter::forget(const execution::EventPtr& event) {
  const std::lock_guard lock(mutex_);
  take([&](const Waiter& waiter) { return waiter.event == event; });
}

void Arbiter::judge(memory::Budget& exhausted, int64_t bytes) {
  const Participant::StepScope* const step = step_of_thread;
  Participant* const participant = step ? step->participant_ : nullptr;
  if (!participant) return;
  // Any other budget may end with the step.
  if (!exhausted.is_root() && &exhausted != participant->budget_.get()) return;
  if (participant->must_yield_) return;
  throw memory::MemoryWait{std::make_shared<execution::Event>(), &exhausted, bytes + step->held_bytes()};
}

void Arbiter::add(Waiter waiter) {
  memory::Budget& exhausted = *waiter.exhausted;
  {
    const std::lock_guard lock(mutex_);
    waiters_.push_back(std::move(waiter));
    has_waiters_ = true;
    exhausted.add_waiter();
  }
  // Who gave something back before there was a waiter has told nobody.
  note_release(exhausted);
}

void Arbiter::note_release(memory::Budget& budget) noexcept {
  std::unique_lock lock(mutex_);
  fire(lock, take([&](const Waiter& waiter) { return waiter.exhausted == &budget && is_due(waiter); }));
}

void Arbiter::begin_epoch() {
  std::unique_lock lock(mutex_);
  ++epoch_;
  fire(lock, take([&](const Waiter& waiter) { return is_due(waiter); }));
}

template <class IsTaken>
Arbiter::Events Arbiter::take(const IsTaken& is_taken) {
  Events events;
  for (auto waiter = waiters_.begin(); waiter != waiters_.end();) {
    if (!is_taken(*waiter)) {
      ++waiter;
      continue;
    }
    waiter->retries->any = epoch_;
    waiter->exhausted->remove_waiter();
    events.push_back(std::move(waiter->event));
    waiter = waiters_.erase(waiter);
  }
  has_waiters_ = !waiters_.empty();
  return events;
}

bool Arbiter::is_due(const Waiter& waiter) const {
  return waiter.retries->any != epoch_ && waiter.exhausted->has_room(waiter.bytes);
}

bool Arbiter::anybody_at_work() const {
  return std::ranges::any_of(participants_, [](const Participant* one) { return one->num_at_work_ > 0; });
}

bool Arbiter::waits_for_itself(const Participant& one) const {
  if (one.num_at_work_ > 0 || one.num_consuming_ > 0) return false;
  const auto is_its = [&](const Waiter& waiter) { return waiter.participant == &one; };
  // Where all that the others have would not be enough, they can't help it either.
  const auto waits_for_others = [&](const Waiter& waiter) {
    return is_its(waiter) && waiter.exhausted != one.budget_.get() &&
           waiter.bytes <= waiter.exhausted->limit_bytes() - one.budget_->used_bytes();
  };
  return std::ranges::any_of(waiters_, is_its) && std::ranges::none_of(waiters_, waits_for_others);
}

Arbiter::Events Arbiter::take_stuck() {
  if (waiters_.empty()) return {};
  // Nobody else can help it.
  const auto query =
      std::ranges::find_if(participants_, [&](const Participant* one) { return waits_for_itself(*one); });
  if (query != participants_.end()) {
    return take_one_or_yield([&](const Waiter& waiter) { return waiter.participant == *query; });
  }
  return anybody_at_work() ? Events() : take_one_or_yield([](const Waiter&) { return true; });
}

template <class IsStuck>
Arbiter::Events Arbiter::take_one_or_yield(const IsStuck& is_stuck) {
  const auto next = std::ranges::find_if(waiters_, [&](const Waiter& waiter) {
    return is_stuck(waiter) && waiter.retries->alone != epoch_ && waiter.exhausted->has_room(waiter.bytes);
  });
  if (next != waiters_.end()) {
    next->retries->alone = epoch_;
    return take([event = next->event](const Waiter& waiter) { return waiter.event == event; });
  }
  const auto waits = [&](const Participant* one) {
    return one->num_consuming_ == 0 && std::ranges::any_of(waiters_, [&](const Waiter& waiter) {
             return waiter.participant == one && is_stuck(waiter);
           });
  };
  const auto youngest = std::find_if(participants_.rbegin(), participants_.rend(), waits);
  if (youngest == participants_.rend()) return {};
  (*youngest)->must_yield_ = true;
  return take([&](const Waiter& waiter) { return waiter.participant == *youngest; });
}

void Arbiter::resolve() {
  std::unique_lock lock(mutex_);
  // Who fires looks itself.
  if (num_firing_ == 0) fire(lock, take_stuck());
}

// Of some that waited nobody may be left who makes the step again.
void Arbiter::fire(std::unique_lock<std::mutex>& lock, Events events) {
  while (!events.empty()) {
    ++num_firing_;
    lock.unlock();
    for (const execution::EventPtr& event : events) event->fire();
    lock.lock();
    events = --num_firing_ == 0 ? take_stuck() : Events();
  }
}

}  // namespace accelerant::runtime
