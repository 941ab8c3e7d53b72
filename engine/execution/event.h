#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::execution {

/// Something a suspended step waits for. Fires once; waiters are told by a call on the thread that fires, which must be
/// short.
class Event {
 public:
  Event() = default;
  /// @param comes_by_itself whether it fires though no task of the engine runs, as a disk or a device is through
  explicit Event(bool comes_by_itself) : comes_by_itself_(comes_by_itself) {}

  /// Fires; waiters that come later are told at once. Idempotent.
  void fire();
  /// Calls `waiter` when the event fires, or now if it has.
  void on_fire(std::function<void()> waiter);
  bool fired() const;
  bool comes_by_itself() const { return comes_by_itself_; }

 private:
  const bool comes_by_itself_ = false;
  mutable std::mutex mutex_;
  bool fired_ = false;
  std::vector<std::function<void()>> waiters_;
};

using EventPtr = std::shared_ptr<Event>;

/// Waits until an event has fired that a disk or a device fires, or a thread that waits for no worker: an OutsideCall.
void wait_for(const EventPtr& event);

}  // namespace accelerant::execution
