#pragma once

#include "device/kernels/group_cache.h"

namespace accelerant::device::kernels {

/// Finds the groups of rows in a table, and makes new ones. A thread takes a row at a time.
template <int32 kNumWords, int32 kNumThreads>
struct GroupRows {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const uint64* words[kNumWords];  ///< of the rows' keys
    int64 num_rows;
    GroupTableView<kNumWords> table;
    int32* groups;
  };

  template <Block B>
  struct Shared {
    GroupCache<kNumWords> cache;
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    clear_cache(block, shared.cache);
    block.sync();
    const int64 stride = block.blocks() * kThreads;
    for (int64 first = block.index() * kThreads; first < arguments.num_rows; first += stride) {
      const int64 row = first + block.thread();
      const bool is_row = row < arguments.num_rows;
      GroupKey<kNumWords> key{};
      for (int32 i = 0; i < kNumWords; ++i) {
        if (is_row) key.words[i] = arguments.words[i][row];
      }
      const int32 group = group_of(block, shared, arguments.table, key, is_row);
      if (is_row) arguments.groups[row] = group;
    }
  }

 private:
  /// Returns the group of a key, if one is sought. Reached by all lanes of a warp.
  template <Block B>
  ACC_HD static int32 group_of(B& block, Shared<B>& shared, const GroupTableView<kNumWords>& table,
                               const GroupKey<kNumWords>& key, bool is_sought) {
    const int32 known = is_sought ? find_in_cache(block, shared.cache, key) : kNoGroup;
    if (known != kNoGroup) is_sought = false;
    const int32 found = find_or_insert(block, table, key, is_sought);
    if (found != kNoGroup) keep_in_cache(block, shared.cache, key, found);
    return known != kNoGroup ? known : found;
  }
};

/// Puts the groups of a table, with their numbers, into an empty one that is at least as large. A thread takes a group.
template <int32 kNumWords, int32 kNumThreads>
struct MoveGroups {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    GroupTableView<kNumWords> from;
    GroupTableView<kNumWords> to;
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const GroupTableView<kNumWords>& from = arguments.from;
    const GroupTableView<kNumWords>& to = arguments.to;
    const auto max_groups = static_cast<uint64>(from.max_groups);
    const uint64 num_groups = *from.num_groups < max_groups ? *from.num_groups : max_groups;
    const int64 group = block.index() * kThreads + block.thread();
    if (group == 0) *to.num_groups = num_groups;
    if (group >= static_cast<int64>(num_groups)) return;
    GroupKey<kNumWords> key;
    for (int32 word = 0; word < kNumWords; ++word) {
      key.words[word] = from.keys[word * from.max_groups + group];
      to.keys[word * to.max_groups + group] = key.words[word];
    }
    // No two groups have the same key, so that nobody looks into a slot that another fills.
    const uint64 state = kFirstGroup + static_cast<uint64>(group);
    uint64 place = hash_of(key);
    while (block.template compare_exchange<Order::Relaxed, Scope::Device>(&to.slot(place).state, kEmptySlot, state) !=
           kEmptySlot) {
      ++place;
    }
    to.slot(place).key = key;
  }
};

}  // namespace accelerant::device::kernels
