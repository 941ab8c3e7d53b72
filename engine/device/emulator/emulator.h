#pragma once

#include "device/emulator/copied_memory.h"
#include "device/emulator/emulated_stream.h"
#include "device/emulator/grid.h"
#include "device/pinned_memory.h"
#include "device/stream.h"

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace accelerant::device::emulator {

class DeviceMemory;

/// A device without a GPU: it runs kernels on the thread of the host that synchronises, and looks for their mistakes;
/// docs/design/device.md lists which. Nothing that is enqueued happens before a stream is synchronised, and what
/// other streams have to do may then happen too. After an error the device does nothing more, and every
/// synchronisation throws that error. Not thread-safe.
class Emulator final : public Device {
 public:
  explicit Emulator(const Schedule& schedule);
  ~Emulator() override;

  [[nodiscard]] std::unique_ptr<DeviceStream> create_stream(std::shared_ptr<memory::Budget> host) override;
  /// Ordinary memory, which is watched: docs/design/device.md.
  [[nodiscard]] std::shared_ptr<PinnedMemory> pinned_memory() override { return pinned_; }

  /// Says what an access to an address is that the system does not allow, e.g. "host code accessed byte 8 of 64 of
  /// device memory".
  std::string describe(const void* address) const;

 private:
  friend class EmulatedStream;

  /// Fails where pinned memory was given up too early.
  void check_copied();
  /// Runs what the streams have to do, in some order that their events allow, until one has nothing left.
  void run_until_done(const EmulatedStream& stream);
  void run_with_memory(const EmulatedStream& stream);
  EmulatedStream& choose_stream();
  void run_next_of(EmulatedStream& stream);

  Schedule schedule_;
  std::mt19937_64 random_;
  std::unique_ptr<DeviceMemory> memory_;
  const std::shared_ptr<CopiedMemory> copied_;
  const std::shared_ptr<PinnedMemory> pinned_;
  const std::shared_ptr<StackPool> stacks_ = std::make_shared<StackPool>();
  std::vector<EmulatedStream*> streams_;
  std::exception_ptr error_;
};

}  // namespace accelerant::device::emulator
