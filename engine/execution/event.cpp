#include "execution/event.h"

#include "execution/outside_call.h"

#include <condition_variable>
#include <utility>

namespace accelerant::execution {

void Event::fire() {
  std::vector<std::function<void()>> waiters;
  {
    std::lock_guard lock(mutex_);
    if (fired_) return;
    fired_ = true;
    waiters.swap(waiters_);
  }
  for (auto& waiter : waiters) waiter();
}

void Event::on_fire(std::function<void()> waiter) {
  {
    std::lock_guard lock(mutex_);
    if (!fired_) {
      waiters_.push_back(std::move(waiter));
      return;
    }
  }
  waiter();
}

bool Event::fired() const {
  std::lock_guard lock(mutex_);
  return fired_;
}

void wait_for(const EventPtr& event) {
  struct Signal {
    std::mutex mutex;
    std::condition_variable changed;
    bool fired = false;
  };
  const OutsideCall outside;
  const auto signal = std::make_shared<Signal>();
  event->on_fire([signal] {
    const std::lock_guard lock(signal->mutex);
    signal->fired = true;
    signal->changed.notify_all();
  });
  std::unique_lock lock(signal->mutex);
  signal->changed.wait(lock, [&] { return signal->fired; });
}

}  // namespace accelerant::execution
