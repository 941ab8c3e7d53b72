#pragma once

#include "device/block.h"

namespace accelerant::device::kernels {

/// Combines values, each block those that its threads come past, and leaves one value a block. A second launch of one
/// block combines those.
template <class Combine, int32 kNumThreads>
struct Reduce {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const int64* from;
    int64 num_values;
    int64* to;  ///< one a block
  };

  template <Block B>
  struct Shared {
    typename B::template ReduceScratch<int64> scratch;
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    const Combine combine;
    int64 value = Combine::identity();
    const int64 stride = block.blocks() * kThreads;
    for (int64 i = block.index() * kThreads + block.thread(); i < arguments.num_values; i += stride) {
      value = combine(value, arguments.from[i]);
    }
    value = block.reduce(shared.scratch, value, combine);
    if (block.thread() == 0) arguments.to[block.index()] = value;
  }
};

}  // namespace accelerant::device::kernels
