#pragma once

#include "device/emulator/resident_block.h"

#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <random>
#include <vector>

namespace accelerant::device::emulator {

/// Who goes first among those that may go in any order: blocks, threads, streams.
enum class Turns { Forward, Reverse, Random };

/// How an emulator chooses where a device leaves it open.
struct Schedule {
  Turns turns = Turns::Forward;
  uint64_t seed = 1;
  int32_t resident_blocks = 4;  ///< of a launch, at most; a random number up to it where turns are random
};

/// One launch: runs all blocks of a kernel, some at a time, on the calling thread.
class Grid {
 public:
  Grid(const Task& task, const Schedule& schedule, StackPool& stacks);

  /// Runs all blocks. Afterwards the caller is ordered after all threads.
  /// @throws Error Internal where threads wait for what does not come; what they left is in memory then
  void run();

 private:
  void run_blocks();
  void start_blocks();
  int64_t next_block();
  BlockThread& take();
  void put();
  void watch(BlockThread& thread);
  [[noreturn]] void fail_without_end() const;

  const Schedule schedule_;
  std::mt19937_64 random_;
  char end_token_ = 0;
  const Launch launch_;
  size_t max_resident_;
  int64_t num_started_ = 0;
  std::vector<int64_t> order_;  ///< of the blocks, where it is random
  std::list<ResidentBlock> resident_;
  std::deque<BlockThread*> ready_;
  std::vector<BlockThread*> fresh_;  ///< became ready by the last step
  size_t num_fruitless_ = 0;         ///< steps since something other than an atomic read happened
};

}  // namespace accelerant::device::emulator
