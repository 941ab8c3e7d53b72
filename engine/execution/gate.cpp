#include "execution/gate.h"

#include <memory>
#include <utility>

namespace accelerant::execution {

const EventPtr& Gate::next_change() {
  if (!change_) change_ = std::make_shared<Event>();
  return change_;
}

EventPtr Gate::Pass::enter() {
  if (is_inside_) return nullptr;
  const std::lock_guard lock(gate_.mutex_);
  if (gate_.is_alone_ || gate_.num_wanting_alone_ > 0) return gate_.next_change();
  ++gate_.num_inside_;
  is_inside_ = true;
  return nullptr;
}

EventPtr Gate::Pass::enter_alone() {
  if (is_inside_) return nullptr;
  const std::lock_guard lock(gate_.mutex_);
  if (gate_.num_inside_ > 0) {
    if (!std::exchange(wants_alone_, true)) ++gate_.num_wanting_alone_;
    return gate_.next_change();
  }
  if (std::exchange(wants_alone_, false)) --gate_.num_wanting_alone_;
  gate_.num_inside_ = 1;
  gate_.is_alone_ = true;
  is_inside_ = true;
  return nullptr;
}

void Gate::Pass::leave() {
  if (!is_inside_ && !wants_alone_) return;
  EventPtr change;
  {
    const std::lock_guard lock(gate_.mutex_);
    if (std::exchange(wants_alone_, false)) --gate_.num_wanting_alone_;
    if (std::exchange(is_inside_, false)) --gate_.num_inside_;
    if (gate_.num_inside_ == 0) gate_.is_alone_ = false;
    change = std::exchange(gate_.change_, nullptr);
  }
  if (change) change->fire();
}

}  // namespace accelerant::execution
