#pragma once

#include "execution/event.h"

#include <mutex>

namespace accelerant::execution {

/// Lets workers through beside each other, or one alone. Nobody waits in a call: who may not go through yet gets an
/// event, and asks again when it has fired. Who wants to be alone goes first: others are held back until it was.
class Gate {
 public:
  /// What one worker goes through with, one thread at a time. Leaves the gate when it goes.
  class Pass {
   public:
    /// @param gate outlives the pass
    explicit Pass(Gate& gate) : gate_(gate) {}
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() { leave(); }

    /// Goes through beside others. Returns nullptr where it is inside, else what to wait for.
    EventPtr enter();
    /// Goes through alone, likewise.
    EventPtr enter_alone();
    /// Leaves, and wants to be alone no more.
    void leave();
    bool is_inside() const { return is_inside_; }

   private:
    Gate& gate_;
    bool is_inside_ = false;
    bool wants_alone_ = false;  ///< and waits for it
  };

 private:
  /// Returns what fires at the next change. The lock is held.
  const EventPtr& next_change();

  std::mutex mutex_;
  int num_inside_ = 0;
  bool is_alone_ = false;  ///< the one that is inside
  int num_wanting_alone_ = 0;
  EventPtr change_;  ///< nullptr: nobody waits
};

}  // namespace accelerant::execution
