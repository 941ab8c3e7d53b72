#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace accelerant {
class Error;
}

namespace accelerant::execution {
class Event;
}

namespace accelerant::memory {

class Budget;

/// Thrown where memory cannot be reserved yet: the step that asks for it ends as if it had not been called, and is
/// called again when the event has fired. No std::exception, so that nothing takes it for a failure.
struct MemoryWait {
  std::shared_ptr<execution::Event> event;
  /// The budget that has no room, which the caller of the step is to have the event wait for; nullptr: the event comes
  /// whatever the caller does.
  Budget* exhausted = nullptr;
  int64_t bytes = 0;  ///< that the step has asked for in all, the last ones in vain
};

/// As long as it lives, what its thread can't reserve is an exhausted budget at once: for who can do with less.
class WithoutWaiting {
 public:
  WithoutWaiting();
  WithoutWaiting(const WithoutWaiting&) = delete;
  WithoutWaiting& operator=(const WithoutWaiting&) = delete;
  ~WithoutWaiting();

  static bool is_on();
};

/// Returns what a MemoryWait comes to where there is no step to suspend: the error of a budget that is exhausted. A
/// thread of the program around the engine can't wait instead, as it may be the one that memory is waited for.
/// @param asker e.g. "a writer of files"
Error error_without_wait(const std::string& asker);

}  // namespace accelerant::memory
