#pragma once

#include "device/emulator/fiber.h"
#include "device/emulator/kernel_thread.h"

#include <cstdint>

namespace accelerant::device::emulator {

class ResidentBlock;
struct Launch;

/// One thread of a block: a fiber that stops where the block interface lets threads meet. It only notes why it stopped;
/// the launcher, which alone looks at more than one thread, decides when it goes on.
class BlockThread {
 public:
  /// What a thread knows of its block.
  struct Surroundings {
    const Launch& launch;
    ResidentBlock& block;
    int64_t block_index;
    void* shared;
    /// To the thread sanitizer, two barriers each: consecutive ones differ.
    char* barrier_tokens;
    char* warp_barrier_tokens;
  };

  BlockThread(const Surroundings& surroundings, int32_t number);

  // For the kernel, on the fiber; see KernelThread.
  int32_t number() const;
  int64_t block_index() const;
  int64_t num_blocks() const;
  void sync(Place place);
  void sync_warp(Place place);
  void pause(Stop stop, Place place);
  void note_write();
  uint64_t exchange(Stop operation, uint64_t value, int32_t lane, Place place);

  // For the launcher.
  void resume() { fiber_.resume(); }
  /// Leaves the thread where it stopped for good.
  void abandon();
  ResidentBlock& block() const { return surroundings_.block; }
  Stop stop() const { return stop_; }
  Place place() const { return place_; }
  uint64_t value() const { return value_; }
  int32_t lane() const { return lane_; }
  void set_result(uint64_t result) { value_ = result; }
  /// Says whether the thread did more than read atomics since it was asked last.
  bool take_progress();

 private:
  static void run(void* thread);
  void stop_at(Stop stop, Place place);

  const Surroundings surroundings_;
  const int32_t number_;
  Stop stop_ = Stop::None;
  Place place_;
  uint64_t value_ = 0;
  int32_t lane_ = 0;
  bool has_written_ = false;
  bool is_abandoned_ = false;
  uint32_t num_barriers_ = 0;
  uint32_t num_warp_barriers_ = 0;
  Fiber fiber_;
};

}  // namespace accelerant::device::emulator
