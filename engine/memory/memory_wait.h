#pragma once

#include <memory>

namespace accelerant::execution {
class Event;
}

namespace accelerant::memory {

/// Thrown where memory cannot be reserved yet: the step that asks for it ends as if it had not been called, and is
/// called again when the event has fired. No std::exception, so that nothing takes it for a failure.
struct MemoryWait {
  std::shared_ptr<execution::Event> event;
};

}  // namespace accelerant::memory
