#pragma once

#include "device/kernels/group_table.h"

namespace accelerant::device::kernels {

/// Finds the groups of rows in a table, and makes new ones. A thread takes a row.
template <int32 kNumWords, int32 kNumThreads>
struct GroupRows {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const uint64* words[kNumWords];  ///< of the rows' keys
    int64 num_rows;
    GroupTable<kNumWords> table;
    int32* groups;
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const int64 row = block.index() * kThreads + block.thread();
    const bool is_row = row < arguments.num_rows;
    GroupKey<kNumWords> key{};
    for (int32 i = 0; i < kNumWords; ++i) {
      if (is_row) key.words[i] = arguments.words[i][row];
    }
    const int32 group = find_or_insert(block, arguments.table, key, is_row);
    if (is_row) arguments.groups[row] = group;
  }
};

/// Puts the groups of a table, with their numbers, into an empty one that is at least as large. A thread takes a group.
template <int32 kNumWords, int32 kNumThreads>
struct MoveGroups {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    GroupTable<kNumWords> from;
    GroupTable<kNumWords> to;
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const GroupTable<kNumWords>& from = arguments.from;
    const GroupTable<kNumWords>& to = arguments.to;
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
