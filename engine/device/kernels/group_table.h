#pragma once

#include "device/block.h"

/// A table of groups by their keys, in device memory: open addressing, linear probing. A thread that finds the end of
/// its search takes the empty slot, gets the next number for the group, writes the key, and only then releases the
/// slot; who comes by meanwhile waits. A warp searches in rounds, in which those that took slots fill them before any
/// of it waits, and take their numbers together.
namespace accelerant::device::kernels {

/// What is grouped by: words that are equal if and only if the rows are of one group.
template <int32 kNumWords>
struct GroupKey {
  uint64 words[kNumWords];
};

/// A place of the table; all bytes 0 at first.
template <int32 kNumWords>
struct GroupSlot {
  uint64 state;  ///< kEmptySlot, kTakenSlot, or kFirstGroup and the group's number: then the key can be read
  GroupKey<kNumWords> key;
};
inline constexpr uint64 kEmptySlot = 0;
inline constexpr uint64 kTakenSlot = 1;
inline constexpr uint64 kFirstGroup = 2;

/// The number of no group.
inline constexpr int32 kNoGroup = -1;

template <int32 kNumWords>
struct GroupTableView {
  GroupSlot<kNumWords>* slots;
  int64 num_slots;     ///< a power of two, more than max_groups
  int64 max_groups;    ///< at most 2^31 - 1
  uint64* num_groups;  ///< 0 at first; more than max_groups where a key found no place
  uint64* keys;        ///< word w of group g is keys[w * max_groups + g]

  /// Returns the slot at a place, which counts on past the end.
  ACC_HD GroupSlot<kNumWords>& slot(uint64 place) const { return slots[place & (static_cast<uint64>(num_slots) - 1)]; }
};

/// Mixes all bits (the finaliser of SplitMix64; Steele, Lea and Flood, 2014).
template <int32 kNumWords>
ACC_HD uint64 hash_of(const GroupKey<kNumWords>& key) {
  uint64 hash = 0;
  for (const uint64 word : key.words) {
    hash ^= word;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
    hash ^= hash >> 31;
  }
  return hash;
}

template <int32 kNumWords>
ACC_HD bool operator==(const GroupKey<kNumWords>& lhs, const GroupKey<kNumWords>& rhs) {
  for (int32 i = 0; i < kNumWords; ++i) {
    if (lhs.words[i] != rhs.words[i]) return false;
  }
  return true;
}

/// What a slot means to one that searches.
enum class Slot {
  Own,     ///< has the key
  Other,   ///< has another key
  Busy,    ///< is being filled
  Taken,   ///< was empty, and is to be filled by who asked
  NoRoom,  ///< is empty, but there was no room for some key
};

/// Looks at a slot; sets the group if it is that of the key.
template <int32 kNumWords, Block B>
ACC_HD Slot look_at(B& block, const GroupTableView<kNumWords>& table, GroupSlot<kNumWords>& slot,
                    const GroupKey<kNumWords>& key, int32& group) {
  const uint64 state = block.template load<Order::Acquire, Scope::Device>(&slot.state);
  if (state == kTakenSlot) return Slot::Busy;
  if (state != kEmptySlot) {
    if (!(slot.key == key)) return Slot::Other;
    group = static_cast<int32>(state - kFirstGroup);
    return Slot::Own;
  }
  const uint64 num_groups = block.template load<Order::Relaxed, Scope::Device>(table.num_groups);
  if (num_groups > static_cast<uint64>(table.max_groups)) return Slot::NoRoom;
  const uint64 found =
      block.template compare_exchange<Order::Relaxed, Scope::Device>(&slot.state, kEmptySlot, kTakenSlot);
  return found == kEmptySlot ? Slot::Taken : Slot::Busy;
}

/// Gives a key that has a slot the group of a number, and returns it; or frees the slot, where there are not so many.
template <int32 kNumWords, Block B>
ACC_HD int32 fill(B& block, const GroupTableView<kNumWords>& table, GroupSlot<kNumWords>& slot,
                  const GroupKey<kNumWords>& key, uint64 number) {
  if (number >= static_cast<uint64>(table.max_groups)) {
    block.template store<Order::Relaxed, Scope::Device>(&slot.state, kEmptySlot);
    return kNoGroup;
  }
  slot.key = key;
  for (int32 word = 0; word < kNumWords; ++word) {
    table.keys[word * table.max_groups + static_cast<int64>(number)] = key.words[word];
  }
  block.template store<Order::Release, Scope::Device>(&slot.state, kFirstGroup + number);
  return static_cast<int32>(number);
}

/// Returns a number of its own to each of some lanes. Reached by all lanes of a warp.
template <Block B>
ACC_HD uint64 take_numbers(B& block, uint64* next, uint32 lanes) {
  uint64 first = 0;
  if (lane_of(block) == 0) {
    first = block.template fetch_add<Order::Relaxed, Scope::Device>(next, static_cast<uint64>(count_bits(lanes)));
  }
  first = block.shuffle(first, 0);
  return first + static_cast<uint64>(count_bits(lanes & first_lanes(lane_of(block))));
}

/// Returns the group of a key, a new one if need be; kNoGroup where the table is full, or none is sought. Reached by
/// all lanes of a warp.
template <int32 kNumWords, Block B>
ACC_HD int32 find_or_insert(B& block, const GroupTableView<kNumWords>& table, const GroupKey<kNumWords>& key,
                            bool is_sought) {
  int32 group = kNoGroup;
  uint64 place = hash_of(key);
  while (block.any(is_sought)) {
    GroupSlot<kNumWords>& slot = table.slot(place);
    const Slot meaning = is_sought ? look_at(block, table, slot, key, group) : Slot::Own;
    const uint32 takers = block.ballot(meaning == Slot::Taken);
    if (takers != 0) {
      const uint64 number = take_numbers(block, table.num_groups, takers);
      if (meaning == Slot::Taken) group = fill(block, table, slot, key, number);
    }
    if (meaning == Slot::Other) ++place;
    is_sought = meaning == Slot::Other || meaning == Slot::Busy;
  }
  return group;
}

}  // namespace accelerant::device::kernels
