#pragma once

#include "device/block.h"

namespace accelerant::device::kernels {

/// The words of a state in memory, `stride` words apart.
struct StateWords {
  uint64* first;
  int64 stride;

  ACC_HD uint64* at(int32 word) const { return first + word * stride; }
};

/// How threads of a scope get at a state (functions/aggregate/shared_state.h).
template <Scope kScope, Threads B>
struct StateAccess {
  B& block;
  StateWords words;

  /// Of words that nobody changes.
  ACC_HD ACC_INLINE uint64 load(int32 word) const { return *words.at(word); }
  ACC_HD ACC_INLINE uint64 add(int32 word, uint64 value) const {
    return block.template fetch_add<Order::Relaxed, kScope>(words.at(word), value);
  }
  ACC_HD ACC_INLINE void raise(int32 word, uint64 value) const {
    // Most values change nothing, and a read takes less than a write.
    if (value > now(word)) block.template fetch_max<Order::Relaxed, kScope>(words.at(word), value);
  }
  ACC_HD ACC_INLINE void set_bits(int32 word, uint64 bits) const {
    if ((now(word) & bits) != bits) block.template fetch_or<Order::Relaxed, kScope>(words.at(word), bits);
  }
  ACC_HD ACC_INLINE void flip_bits(int32 word, uint64 bits) const {
    if (bits != 0) block.template fetch_xor<Order::Relaxed, kScope>(words.at(word), bits);
  }

 private:
  ACC_HD ACC_INLINE uint64 now(int32 word) const { return block.template load<Order::Relaxed, kScope>(words.at(word)); }
};

template <Scope kScope, Threads B>
ACC_HD ACC_INLINE StateAccess<kScope, B> access_to(B& block, StateWords words) {
  return {block, words};
}

/// Adds several copies of a state, a word apart, to one in device memory.
template <class Shared, Threads B>
ACC_HD void merge_copies(B& block, StateWords from, int32 num_copies, StateWords to) {
  const auto copy_at = [&](int32 copy) {
    return access_to<Scope::Block>(block, StateWords{from.first + copy, from.stride});
  };
  Shared::merge(copy_at, num_copies, access_to<Scope::Device>(block, to));
}

}  // namespace accelerant::device::kernels
