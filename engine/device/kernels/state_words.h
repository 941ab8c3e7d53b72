#pragma once

#include "device/block.h"

namespace accelerant::device::kernels {

/// The words of a state in memory, `stride` words apart.
struct StateWords {
  uint64* first;
  int64 stride;

  ACC_HD uint64* at(int32 word) const { return first + word * stride; }
};

/// Marks a state: there was a value.
template <Scope kScope, Threads B>
ACC_HD ACC_INLINE void mark(B& block, uint64* place) {
  if (block.template load<Order::Relaxed, kScope>(place) == 0) block.template store<Order::Relaxed, kScope>(place, 1);
}

/// Makes a place at least `value`.
template <Scope kScope, Threads B>
ACC_HD ACC_INLINE void raise(B& block, uint64* place, uint64 value) {
  // Most values change nothing, and a read takes less than a write.
  if (value <= block.template load<Order::Relaxed, kScope>(place)) return;
  block.template fetch_max<Order::Relaxed, kScope>(place, value);
}

}  // namespace accelerant::device::kernels
