#pragma once

#include "device/block.h"

namespace accelerant::device::kernels {

/// Decodes what only one thread can find the parts of: thread 0 fills one of two queues with the next parts while the
/// other warps decode those of the other queue. A `Decoder` has
///   struct Queue                                    with `int32 num_parts`, which is 0 where no more are to be decoded
///   void fill(Queue&)                               of thread 0
///   static void decode(const Queue&, int32, int32)  the share of a thread, which comes first, out of so many
/// What a queue's parts write, those of later queues may read.
template <Block B, class Decoder>
ACC_HD void read_ahead(B& block, typename Decoder::Queue (&queues)[2], Decoder& decoder) {
  static_assert(B::kThreads > kWarpThreads, "a warp reads, and others decode");
  if (block.thread() == 0) decoder.fill(queues[0]);
  block.sync();
  for (int32 current = 0; queues[current].num_parts > 0; current = 1 - current) {
    if (block.thread() == 0) decoder.fill(queues[1 - current]);
    if (warp_of(block) > 0) {
      Decoder::decode(queues[current], block.thread() - kWarpThreads, B::kThreads - kWarpThreads);
    }
    block.sync();
  }
}

}  // namespace accelerant::device::kernels
