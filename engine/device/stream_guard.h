#pragma once

#include "device/stream.h"

#include <exception>

namespace accelerant::device {

/// Waits for a stream when an exception ends the scope: host memory that enqueued copies read is freed after it.
/// Declared after what owns that memory.
class StreamGuard {
 public:
  explicit StreamGuard(DeviceStream& stream) : stream_(stream) {}
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;
  ~StreamGuard() {
    if (std::uncaught_exceptions() == num_exceptions_) return;
    try {
      stream_.synchronize();
    } catch (const std::exception&) {
      // What the scope ends with was first.
    }
  }

 private:
  DeviceStream& stream_;
  const int num_exceptions_ = std::uncaught_exceptions();
};

}  // namespace accelerant::device
