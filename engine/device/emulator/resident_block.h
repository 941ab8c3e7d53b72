#pragma once

#include "device/emulator/block_thread.h"
#include "device/emulator/mapping.h"
#include "device/kernel.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace accelerant::device::emulator {

/// What is launched; the arguments outlive it.
struct Task {
  KernelEntry kernel;
  int64_t num_blocks;
  const void* arguments;
};

/// What all blocks of a launch have in common.
struct Launch {
  Task task;
  StackPool& stacks;
  void* end_token;  ///< every thread releases it when it returns
};

/// A block that has started: its threads and what they share. Brings threads together where they wait for each other.
class ResidentBlock {
 public:
  /// @param poison what each byte of shared memory holds at first
  ResidentBlock(const Launch& launch, int64_t index, uint8_t poison);

  /// Takes note of why a thread that ran has stopped, and adds to `ready` the threads that may go on now.
  /// @throws Error Internal where threads wait for others that have returned or wait elsewhere
  void settle(BlockThread& thread, std::vector<BlockThread*>& ready);
  /// Adds all threads to `ready`.
  void start(std::vector<BlockThread*>& ready);
  /// Leaves all threads where they are; afterwards the caller may be ordered after all they did.
  void abandon();
  bool has_ended() const { return num_ended_ == launch_.task.kernel.num_threads; }
  /// Says which threads stopped where, e.g. "threads 0-31 wait at scan.h:40, threads 32-63 have returned".
  std::string describe() const;

  int64_t index() const { return index_; }

 private:
  struct Range {
    int32_t begin;
    int32_t end;
  };

  Range warp_of(const BlockThread& thread) const;
  void meet(Range threads, std::vector<BlockThread*>& ready);
  void check_places(Range threads) const;
  void combine(Range warp);
  [[noreturn]] void fail(const std::string& what) const;
  std::string describe(Range threads) const;

  const Launch& launch_;
  const int64_t index_;
  GuardedMemory shared_;
  std::array<char, 2> barrier_tokens_{};
  std::array<char, 64> warp_barrier_tokens_{};  ///< two a warp
  std::vector<std::unique_ptr<BlockThread>> threads_;
  int32_t num_ended_ = 0;
  int32_t num_running_ = 0;  ///< threads that neither wait nor have ended
  int32_t num_at_barrier_ = 0;
  std::array<int32_t, 32> num_at_warp_{};  ///< by warp
};

}  // namespace accelerant::device::emulator
