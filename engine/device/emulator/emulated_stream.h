#pragma once

#include "device/emulator/copied_memory.h"
#include "device/emulator/fiber.h"
#include "device/stream.h"

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::device::emulator {

class Emulator;

/// An event of an emulated device.
struct EmulatedEvent final : DeviceEvent {
  bool has_fired = false;
  char token = 0;  ///< what stands for it to the thread sanitizer
};

/// Work that waits for the host to synchronise.
class EmulatedStream final : public DeviceStream {
 public:
  /// One piece of work. `on_device` counts as ordered after what the host did before it was enqueued, and by streams
  /// and events; `on_host` follows it.
  struct Work {
    Work(EmulatedStream& of_stream, std::function<void()> device_part);

    EmulatedStream& stream;
    const std::function<void()> on_device;
    std::function<void()> on_host;
    CopiedMemory::Entry copied;  ///< what it copies from or to
    std::shared_ptr<EmulatedEvent> awaited;
    std::exception_ptr error;  ///< what `on_device` threw
    bool has_failed = false;
    Fiber fiber;  ///< runs `on_device`; made after all that it has to see
  };

  EmulatedStream(Emulator& device, std::shared_ptr<memory::Budget> budget);
  ~EmulatedStream() override;

  void free(void* memory) override;
  void launch(const KernelEntry& kernel, int64_t blocks, const void* arguments) override;
  void copy_to_device(void* to, const void* from, int64_t bytes) override;
  void copy_to_host(void* to, const void* from, int64_t bytes) override;
  void copy_on_device(void* to, const void* from, int64_t bytes) override;
  void fill(void* to, uint8_t value, int64_t bytes) override;
  [[nodiscard]] std::shared_ptr<DeviceEvent> record() override;
  void wait(const std::shared_ptr<DeviceEvent>& event) override;
  void synchronize() override;
  [[nodiscard]] void* allocate_reserved(int64_t bytes, memory::Reservation reservation) override;

  // For the device.
  bool has_work() const { return !work_.empty(); }
  /// Says whether the first piece of work waits for nothing that is still to come.
  bool is_ready() const;
  /// Takes the first piece of work and runs its part of the device; returns it. It is kept until the host synchronises,
  /// which orders the host after it.
  Work& run_next();
  void drop_work() { work_.clear(); }

 private:
  void exceed_bound() override;
  Work& enqueue(std::function<void()> on_device);
  void copy(void* to, const void* from, int64_t bytes, const void* on_host);
  static void run_on_device(void* work);
  static bool run_and_catch(Work& work);
  void forget_done();

  Emulator& device_;
  const std::shared_ptr<StackPool> work_stacks_;
  const std::shared_ptr<StackPool> kernel_stacks_;  ///< of threads; work alone touches it
  std::deque<std::unique_ptr<Work>> work_;
  std::vector<std::unique_ptr<Work>> done_;
  char token_ = 0;  ///< what stands for the stream to the thread sanitizer
};

}  // namespace accelerant::device::emulator
