#pragma once

#include "device/faults/fault.h"

namespace accelerant::device::faults {

/// Reverses the values of each warp through shared memory. Faulty: trusts the threads of a warp to run in step.
template <Twin kTwin>
struct WarpInStep : TwoWarps {
  static constexpr const char* kName = "warp_in_step";

  template <Block B>
  struct Shared {
    int64 values[kThreads];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Numbers& numbers) {
    shared.values[block.thread()] = numbers.from[block.thread()];
    if constexpr (kTwin == Twin::Mended) block.sync_warp();
    numbers.to[block.thread()] = shared.values[block.thread() ^ (kWarpThreads - 1)];
  }
};

/// Counts the odd values of each warp by a ballot. Faulty: only threads with odd values vote.
template <Twin kTwin>
struct PartialWarp : TwoWarps {
  static constexpr const char* kName = "partial_warp";

  template <Block B>
  ACC_HD static void run(B& block, NothingShared<B>&, const Numbers& numbers) {
    const bool is_odd = numbers.from[block.thread()] % 2 != 0;
    if (kTwin == Twin::Faulty && !is_odd) return;
    numbers.to[block.thread()] = block.ballot(is_odd);
  }
};

}  // namespace accelerant::device::faults
