#pragma once

#include "codegen/row_arguments.h"
#include "device/kernels/state_words.h"

// What kernels that end in groups take, and their loops. Freestanding. All pointers are of device memory.

namespace accelerant::codegen {

using device::kernels::access_to;
using device::kernels::merge_copies;
using device::kernels::StateWords;

/// The most keys of a group.
inline constexpr int32 kMostKeys = 8;

/// Words of states that a block keeps.
inline constexpr int32 kLocalStateWords = 4096;

/// What a kernel over groups takes beside the rows.
struct GroupArguments {
  uint64* states;                      ///< few groups: the words of each one's states, the number of its rows first
  int32 num_groups;                    ///< few groups: how many keys there can be
  int32 num_copies;                    ///< of each state in a block: a power of two
  int32 strides[kMostKeys];            ///< few groups: what a key's code counts in the group's number
  int32 null_codes[kMostKeys];         ///< few groups: the code of null
  const int32* renumbered[kMostKeys];  ///< many groups: the numbers that codes of strings have in all batches
};

template <class T>
ACC_HD ACC_INLINE int32 code_of(const RowValue<T>& key, const GroupArguments& groups, int32 position) {
  return (key.valid ? static_cast<int32>(key.value) : groups.null_codes[position]) * groups.strides[position];
}

/// Returns a key's value as bits, which differ where values do.
template <class T>
ACC_HD ACC_INLINE uint128 key_bits(T value) {
  if constexpr (sizeof(T) == 1) {
    return static_cast<uint8>(value);
  } else if constexpr (sizeof(T) == 2) {
    return static_cast<uint16>(value);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(uint32, value);
  } else if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(uint64, value);
  } else {
    return static_cast<uint128>(value);
  }
}

/// The states of a group in a block: `at(offset)` gives those of an aggregate whose words begin there.
struct LocalStates {
  uint64* words;
  int32 num_groups;
  int32 num_copies;

  ACC_HD ACC_INLINE StateWords at(int32 offset, int32 group, int32 copy) const {
    return {words + (int64{offset} * num_groups + group) * num_copies + copy, int64{num_groups} * num_copies};
  }
};

/// Updates the states of few groups by the rows that are kept. K has kNumStateWords, and
///   group_of(arguments, row), update(block, row, states, group, copy), merge(block, states, group, arguments)
template <class K, device::Threads B, class Arguments>
ACC_HD void update_few_groups(B& block, uint64* words, const Arguments& arguments) {
  const RowArguments& rows = arguments.rows;
  const GroupArguments& groups = arguments.groups;
  const LocalStates states = {words, groups.num_groups, groups.num_copies};
  const int32 num_words = K::kNumStateWords * groups.num_groups * groups.num_copies;
  for (int32 i = block.thread(); i < num_words; i += B::kThreads) words[i] = 0;
  block.sync();
  const int64 stride = block.blocks() * B::kThreads;
  for (int64 row = block.index() * B::kThreads + block.thread(); row < rows.num_rows; row += stride) {
    const auto computed = K::compute(arguments, row);
    if (computed.failed) note_failed(block, rows);
    if (computed.kept) {
      K::update(block, computed, states, K::group_of(arguments, computed), block.thread() & (groups.num_copies - 1));
    }
  }
  block.sync();
  for (int32 group = block.thread(); group < groups.num_groups; group += B::kThreads) {
    K::merge(block, states, group, arguments);
  }
}

}  // namespace accelerant::codegen
