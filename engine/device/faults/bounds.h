#pragma once

#include "device/faults/fault.h"

namespace accelerant::device::faults {

/// Copies values through shared memory. Faulty: the last thread writes one place too far.
template <Twin kTwin>
struct BeyondSharedArray : TwoWarps {
  static constexpr const char* kName = "beyond_shared_array";

  template <Block B>
  struct Shared {
    int64 values[kThreads];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Numbers& numbers) {
    const int32 place = block.thread() + (kTwin == Twin::Faulty ? 1 : 0);
    shared.values[place] = numbers.from[block.thread()];
    block.sync();
    numbers.to[block.thread()] = shared.values[place];
  }
};

/// The same past the end of all that is shared, through a pointer, which hides the array's length.
template <Twin kTwin>
struct BeyondSharedMemory : TwoWarps {
  static constexpr const char* kName = "beyond_shared_memory";

  template <Block B>
  struct Shared {
    int64 values[kThreads];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Numbers& numbers) {
    int64* first = shared.values;
    int64* place = first + block.thread() + (kTwin == Twin::Faulty ? 1 : 0);
    *place = numbers.from[block.thread()];
    block.sync();
    numbers.to[block.thread()] = *place;
  }
};

/// Copies values. Faulty: one too many.
template <Twin kTwin>
struct BeyondDeviceMemory : TwoWarps {
  static constexpr const char* kName = "beyond_device_memory";

  template <Block B>
  ACC_HD static void run(B& block, NothingShared<B>&, const Numbers& numbers) {
    const int64 end = kTwin == Twin::Faulty ? numbers.num_values + 1 : numbers.num_values;
    for (int64 i = block.thread(); i < end; i += kThreads) numbers.to[i] = numbers.from[i];
  }
};

}  // namespace accelerant::device::faults
