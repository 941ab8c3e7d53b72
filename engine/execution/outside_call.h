#pragma once

namespace accelerant::execution {

class OutsideCall;

/// Who sees to it that a thread's work is done while the thread is in calls outside. Any thread.
class StandIn {
 public:
  virtual void begin(const OutsideCall& call) = 0;
  virtual void end(const OutsideCall& call) = 0;

 protected:
  ~StandIn() = default;
};

/// Has the calls outside that this thread makes from now on told to a stand-in, which outlives them; nullptr: nobody.
void set_stand_in(StandIn* stand_in);

/// Code that is not the engine's and may sleep, or a wait for a disk or a device, by the thread that makes this, until
/// it goes. Where that takes long on a worker of the engine, another thread does the worker's work meanwhile.
class OutsideCall {
 public:
  OutsideCall();
  OutsideCall(const OutsideCall&) = delete;
  OutsideCall& operator=(const OutsideCall&) = delete;
  ~OutsideCall();

 private:
  StandIn* const stand_in_;
};

}  // namespace accelerant::execution
