#pragma once

#include "device/kernel.h"
#include "device/memory_bound.h"
#include "memory/budget.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace accelerant::device {

/// A point in the work of a stream.
class DeviceEvent {
 public:
  virtual ~DeviceEvent() = default;
};

/// Work that a device does in order, apart from the host and from other streams. Every call but `synchronize` only
/// enqueues. Host memory that is named must live, and stay as it is, until the stream is synchronised; device memory,
/// until the stream has passed. One host thread at a time uses a stream.
///
/// @throws Error Internal from `synchronize`, for what the work did wrong
class DeviceStream {
 public:
  /// @param budget what allocations are charged to
  explicit DeviceStream(std::shared_ptr<memory::Budget> budget) : budget_(std::move(budget)) {}
  DeviceStream(const DeviceStream&) = delete;
  DeviceStream& operator=(const DeviceStream&) = delete;
  /// Waits for the work, whatever it came to.
  virtual ~DeviceStream() = default;

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
  [[nodiscard]] virtual std::shared_ptr<DeviceEvent> record() = 0;
  /// Lets what is enqueued from now on wait for an event of another stream of the same device.
  virtual void wait(const std::shared_ptr<DeviceEvent>& event) = 0;
  /// Waits on the host until all work is done.
  virtual void synchronize() = 0;
  /// Returns device memory that starts at a multiple of kAllocationUnitBytes; its content is unspecified. What it takes
  /// is reserved first, unless a StreamReservation has.
  /// @throws Error Resource where the budget or the device has no room
  [[nodiscard]] void* allocate(int64_t bytes);
  /// Does so with bytes that are reserved.
  [[nodiscard]] virtual void* allocate_reserved(int64_t bytes, memory::Reservation reservation) = 0;

  const std::shared_ptr<memory::Budget>& budget() const { return budget_; }

 private:
  friend class StreamReservation;

  /// A step allocates more than it has reserved. A device that proves bounds throws.
  virtual void exceed_bound() {}

  const std::shared_ptr<memory::Budget> budget_;
  memory::Reservation ahead_;  ///< what a step has reserved and not yet allocated
  bool is_bounded_ = false;
};

/// The device memory of a step, reserved before it launches anything: while this lives, what the step's stream
/// allocates is taken of it. What is left in the end is given back. One at a time a stream.
class StreamReservation {
 public:
  /// @throws Error Resource where the budget has no room
  StreamReservation(DeviceStream& stream, const MemoryBound& bound);
  StreamReservation(const StreamReservation&) = delete;
  StreamReservation& operator=(const StreamReservation&) = delete;
  ~StreamReservation();

  /// Returns what is not allocated of it.
  int64_t left_bytes() const { return stream_.ahead_.bytes(); }

 private:
  DeviceStream& stream_;
};

class PinnedMemory;

/// A place where kernels run.
class Device {
 public:
  virtual ~Device() = default;
  /// Returns a stream, which must not outlive the device.
  /// @param host what allocations are charged to where the device has no memory of its own
  [[nodiscard]] virtual std::unique_ptr<DeviceStream> create_stream(std::shared_ptr<memory::Budget> host) = 0;
  /// Returns the host memory that is copied fastest, which may outlive the device. Any thread.
  [[nodiscard]] virtual std::shared_ptr<PinnedMemory> pinned_memory() = 0;
};

}  // namespace accelerant::device
