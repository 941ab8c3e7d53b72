#include "execution/event.h"

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

}  // namespace accelerant::execution
