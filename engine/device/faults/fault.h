#pragma once

#include "device/block.h"

/// Kernels with one planted mistake each, and their mended twins. The tests beside them show in which build each
/// mistake is caught, and that nothing is said of the twin.
namespace accelerant::device::faults {

enum class Twin { Faulty, Mended };

/// What all of them work on.
struct Numbers {
  const int64* from;
  int64 num_values;
  int64* to;
};

template <Block B>
struct NothingShared {};

struct OneWarp {
  static constexpr int32 kThreads = kWarpThreads;
  using Arguments = Numbers;
  template <Block B>
  using Shared = NothingShared<B>;
};
struct TwoWarps {
  static constexpr int32 kThreads = 2 * kWarpThreads;
  using Arguments = Numbers;
  template <Block B>
  using Shared = NothingShared<B>;
};

/// Copies values, without a mistake; for those that the host makes.
struct Copy : TwoWarps {
  static constexpr const char* kName = "copy";

  template <Block B>
  ACC_HD static void run(B& block, NothingShared<B>&, const Numbers& numbers) {
    for (int64 i = block.thread(); i < numbers.num_values; i += kThreads) numbers.to[i] = numbers.from[i];
  }
};

}  // namespace accelerant::device::faults
