#pragma once

#include "device/kernel.h"
#include "memory/budget.h"

#include <cstdint>
#include <memory>

namespace accelerant::device {

/// A point in the work of a stream.
class Event {
 public:
  virtual ~Event() = default;
};

/// Work that a device does in order, apart from the host and from other streams. Every call but `synchronize` only
/// enqueues. Host memory that is named must live, and stay as it is, until the stream is synchronised; device memory,
/// until the stream has passed. One host thread at a time uses a stream.
///
/// @throws Error Internal from `synchronize`, for what the work did wrong
class Stream {
 public:
  /// Waits for the work, whatever it came to.
  virtual ~Stream() = default;

  /// Enqueues the release of memory that was allocated on this stream.
  virtual void free(void* memory) = 0;
  /// Launches `blocks` blocks, more than 0, on a copy of the kernel's arguments.
  virtual void launch(const KernelEntry& kernel, int64_t blocks, const void* arguments) = 0;
  virtual void copy_to_device(void* to, const void* from, int64_t bytes) = 0;
  virtual void copy_to_host(void* to, const void* from, int64_t bytes) = 0;
  virtual void copy_on_device(void* to, const void* from, int64_t bytes) = 0;
  /// Sets each of some bytes of device memory.
  virtual void fill(void* to, uint8_t value, int64_t bytes) = 0;
  /// Returns the point that the work enqueued so far ends at.
  [[nodiscard]] virtual std::shared_ptr<Event> record() = 0;
  /// Lets what is enqueued from now on wait for an event of another stream of the same device.
  virtual void wait(const std::shared_ptr<Event>& event) = 0;
  /// Waits on the host until all work is done.
  virtual void synchronize() = 0;
  /// Returns device memory that starts at a multiple of kAlignmentBytes; its content is unspecified.
  /// @throws Error Resource where the budget or the device has no room
  [[nodiscard]] virtual void* allocate(int64_t bytes, std::shared_ptr<memory::Budget> budget) = 0;

  static constexpr int64_t kAlignmentBytes = 256;
};

/// A place where kernels run.
class Device {
 public:
  virtual ~Device() = default;
  /// Returns a stream, which must not outlive the device.
  [[nodiscard]] virtual std::unique_ptr<Stream> create_stream() = 0;
};

}  // namespace accelerant::device
