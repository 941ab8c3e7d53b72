#pragma once

#include "device/kernels/group_table.h"

/// What a block knows of a table of groups: the first keys that it came past, in shared memory. Where groups are few,
/// it knows all of them soon, and the blocks do not queue up at the same few slots of the table.
namespace accelerant::device::kernels {

/// Places for keys and their groups, which are filled once.
template <int32 kNumWords>
struct GroupCache {
  static constexpr int32 kNumSlots = 256;
  static constexpr int32 kMostSteps = 4;  ///< slots that are looked at for a key

  GroupSlot<kNumWords> slots[kNumSlots];

  ACC_HD GroupSlot<kNumWords>& slot(uint64 place) { return slots[place % kNumSlots]; }
};

/// Makes a cache ready. Reached by all threads, which have to meet before one uses it.
template <int32 kNumWords, Block B>
ACC_HD void clear_cache(B& block, GroupCache<kNumWords>& cache) {
  for (int32 i = block.thread(); i < GroupCache<kNumWords>::kNumSlots; i += B::kThreads) {
    cache.slots[i].state = kEmptySlot;
  }
}

/// Returns the group of a key, or kNoGroup where the cache does not know it.
template <int32 kNumWords, Block B>
ACC_HD int32 find_in_cache(B& block, GroupCache<kNumWords>& cache, const GroupKey<kNumWords>& key) {
  const uint64 first = hash_of(key);
  for (int32 i = 0; i < GroupCache<kNumWords>::kMostSteps; ++i) {
    const GroupSlot<kNumWords>& slot = cache.slot(first + static_cast<uint64>(i));
    const uint64 state = block.template load<Order::Acquire, Scope::Block>(&slot.state);
    if (state < kFirstGroup) return kNoGroup;
    if (slot.key == key) return static_cast<int32>(state - kFirstGroup);
  }
  return kNoGroup;
}

/// Keeps the group of a key, where there is an empty slot for it.
template <int32 kNumWords, Block B>
ACC_HD void keep_in_cache(B& block, GroupCache<kNumWords>& cache, const GroupKey<kNumWords>& key, int32 group) {
  const uint64 first = hash_of(key);
  for (int32 i = 0; i < GroupCache<kNumWords>::kMostSteps; ++i) {
    GroupSlot<kNumWords>& slot = cache.slot(first + static_cast<uint64>(i));
    const uint64 state =
        block.template compare_exchange<Order::Acquire, Scope::Block>(&slot.state, kEmptySlot, kTakenSlot);
    if (state == kEmptySlot) {
      slot.key = key;
      const uint64 filled = kFirstGroup + static_cast<uint64>(group);
      return block.template store<Order::Release, Scope::Block>(&slot.state, filled);
    }
    // Who fills a slot may be filling it with this key.
    if (state == kTakenSlot || slot.key == key) return;
  }
}

}  // namespace accelerant::device::kernels
