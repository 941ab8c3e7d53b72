#pragma once

#include "device/faults/fault.h"

namespace accelerant::device::faults {

/// Hands values to the neighbour through shared memory. Faulty: without the barrier between writing and reading.
template <Twin kTwin>
struct RemovedBarrier : TwoWarps {
  static constexpr const char* kName = "removed_barrier";

  template <Block B>
  struct Shared {
    int64 values[kThreads];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Numbers& numbers) {
    shared.values[block.thread()] = numbers.from[block.thread()];
    if constexpr (kTwin == Twin::Mended) block.sync();
    numbers.to[block.thread()] = shared.values[(block.thread() + 1) % kThreads];
  }
};

/// Adds up values in threads that have some. Faulty: the others do not come to the barrier, but go on.
template <Twin kTwin>
struct DivergentBarrier : TwoWarps {
  static constexpr const char* kName = "divergent_barrier";

  template <Block B>
  struct Shared {
    int64 values[kThreads];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Numbers& numbers) {
    const bool has_value = block.thread() < 40;
    shared.values[block.thread()] = numbers.from[block.thread()];
    if constexpr (kTwin == Twin::Faulty) {
      if (has_value) {
        block.sync();
      } else {
        block.sync();
      }
    } else {
      block.sync();
    }
    numbers.to[block.thread()] = shared.values[(block.thread() + 1) % kThreads];
  }
};

/// The same. Faulty: the others return before the barrier.
template <Twin kTwin>
struct EarlyReturn : TwoWarps {
  static constexpr const char* kName = "early_return";

  template <Block B>
  ACC_HD static void run(B& block, NothingShared<B>&, const Numbers& numbers) {
    const bool has_value = block.thread() < 40;
    if (kTwin == Twin::Faulty && !has_value) return;
    block.sync();
    if (has_value) numbers.to[block.thread()] = numbers.from[block.thread()];
  }
};

}  // namespace accelerant::device::faults
